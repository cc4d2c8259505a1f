// Shows only the options of the chosen format, and proposes the number of rounds it takes.
// Without this script all options are there, and the server takes those of the chosen format.

const form = document.querySelector("[data-stage-form]");

function update() {
  const format = form.querySelector('input[name="format"]:checked')?.value;
  for (const part of form.querySelectorAll("[data-formats]")) {
    part.hidden = !part.dataset.formats.split(" ").includes(format);
  }
  return format;
}

if (form) {
  const needed = JSON.parse(document.getElementById("rounds-needed").textContent);
  form.addEventListener("change", (event) => {
    const format = update();
    if (event.target.name === "format" && needed[format]) {
      form.elements.rounds.value = needed[format];
    }
  });
  update();
}
