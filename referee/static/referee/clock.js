/** A clock that counts down, and says by sound and vibration when time is up. */

const FIRST_TONE = 880;
const LAST_TONE = 1320;

/**
 * `seconds` to count down; `show(left)` is told every whole second still left, 0 at the end. `sound` false keeps it silent.
 * Gives {stop()}. The time is taken from the clock of the machine, so that a screen asleep loses no second.
 */
export function countDown(seconds, show, { sound = true } = {}) {
  const signal = sound ? buildSignal() : null;
  const end = Date.now() + seconds * 1000;
  let told = seconds;
  show(seconds);
  const timer = setInterval(() => {
    const left = Math.max(0, Math.ceil((end - Date.now()) / 1000));
    if (left === told) {
      return;
    }
    told = left;
    show(left);
    if (left === 0) {
      clearInterval(timer);
      signal?.tone(LAST_TONE, 0.5);
      vibrate([250, 100, 250]);
    } else if (left <= 3) {
      signal?.tone(FIRST_TONE, 0.1);
      vibrate(60);
    }
  }, 100);
  return { stop: () => clearInterval(timer) };
}

function vibrate(pattern) {
  navigator.vibrate?.(pattern);
}

let audio = null;

/** Sound is allowed only after a tap: the tap that starts the clock is one. A browser without sound counts in silence. */
function buildSignal() {
  const Audio = globalThis.AudioContext ?? globalThis.webkitAudioContext;
  if (!Audio) {
    return null;
  }
  audio ??= new Audio();
  audio.resume();
  return {
    tone(pitch, length) {
      const tone = audio.createOscillator();
      const volume = audio.createGain();
      tone.frequency.value = pitch;
      volume.gain.setValueAtTime(0.25, audio.currentTime);
      volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + length);
      tone.connect(volume).connect(audio.destination);
      tone.start();
      tone.stop(audio.currentTime + length);
    },
  };
}
