"""Every string is there in every language, and the checker would notice if one were not."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

import pytest

from scripts.catalogs import check, extract, store, unmarked
from scripts.messages import main

ROOT = Path(__file__).resolve().parent.parent

#: Written the same in every language.
SAME_EVERYWHERE = frozenset({"Excel", "PDF", "CSV", "JSON", "xlsx", "English", "ABCD", "SQ"})


# --- the project itself -------------------------------------------------------------------------------


def test_catalogs_have_no_fault():
    faults = check.check(ROOT, extract.extract(ROOT))
    assert not faults, f"{len(faults)} faults:\n" + "\n".join(map(str, faults[:40]))


def test_templates_and_scripts_have_no_text_outside_gettext():
    found = dict(unmarked.unmarked(ROOT, allowed=SAME_EVERYWHERE))
    assert not found


def test_figures_below_zero_are_told_to_people_with_a_true_minus_sign():
    """What programs send, in straight quotes, is written as they send it."""
    told = [text for entry in extract.extract(ROOT) for text in (entry.key.msgid, entry.plural)]
    assert not [text for text in told if re.search(r'(?<![\w."-])-\d', text)]


def _in_catalog(locale: str) -> Iterator[tuple[str, str]]:
    """Each string with its translation, the forms of a plural in one."""
    for message in store.load(ROOT, locale):
        if message.id:
            yield " ".join(store.forms(message.id)), " ".join(store.forms(message.string))


def _figures(text: str) -> set[str]:
    without_placeholders = re.sub(r"%\(\w+\)s|\{\w*\}", "", text)
    return {figure.replace("-", "−") for figure in re.findall(r"[−-]?\d+", without_placeholders)}


@pytest.mark.parametrize("locale", ["zh_Hans", "zh_Hant"])
def test_a_translation_has_no_figure_that_its_string_has_not(locale):
    """Two neighbours had changed places: “Points above 0, e.g. 1000.” read “below 0, e.g. −1000.”"""
    assert [pair for pair in _in_catalog(locale) if not _figures(pair[1]) <= _figures(pair[0])] == []


def test_terms_that_were_given_up_do_not_come_back():
    given_up = {"赛事台", "仲裁委员会", "判罚目录", "记分纸", "计分表", "桌裁判", "桌上裁判", "组委会"}
    found = [pair for pair in _in_catalog("zh_Hans") if any(term in pair[1] for term in given_up)]
    assert found == []
    # Lots are drawn, rounds are arranged.
    assert [
        pair for pair in _in_catalog("zh_Hans") if "抽签" in pair[1] and "lot" not in pair[0].lower()
    ] == []


def test_catalogs_are_as_update_writes_them(tmp_path):
    """Otherwise the next `make messages` would change lines that nobody touched."""
    entries = extract.extract(ROOT)
    for locale in store.LOCALES:
        copy = store.catalog_path(tmp_path, locale)
        copy.parent.mkdir(parents=True)
        copy.write_bytes(store.catalog_path(ROOT, locale).read_bytes())
    store.update(tmp_path, entries)
    for locale in store.LOCALES:
        written = store.catalog_path(tmp_path, locale).read_text()
        assert written == store.catalog_path(ROOT, locale).read_text(), locale


def strings_passed_by(source: str) -> Iterator[tuple[str, str]]:
    """Strings given to a gettext function under a name that the collector of strings does not know it by."""
    tree = ast.parse(source)
    aliases = {
        one.asname
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == "django.utils.translation"
        for one in node.names
        if one.name in extract.KEYWORDS and one.asname not in (None, *extract.KEYWORDS)
    }
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in aliases
            and any(isinstance(one, ast.Constant) for one in node.args)
        ):
            yield node.func.id, ast.unparse(node)


def test_no_string_is_hidden_from_the_catalogs_by_a_name_of_gettext_that_they_do_not_know():
    found = {
        str(path.relative_to(ROOT)): passed
        for folder in extract.CODE_FOLDERS
        for path in (ROOT / folder).rglob("*.py")
        if (passed := list(strings_passed_by(path.read_text())))
    }
    assert found == {}
    hidden = "from django.utils.translation import gettext_lazy as lazy\nlazy('captured')\nlazy(known)"
    assert list(strings_passed_by(hidden)) == [("lazy", "lazy('captured')")]


# --- a small project in which everything can go wrong -------------------------------------------------

PYTHON = """
    from django.utils.translation import gettext as _, ngettext_lazy, npgettext, pgettext

    # Translators: the card game
    TITLE = _("Gongzhu")
    LONG = _("Round %(round)s "
             "is closed")
    COUNT = ngettext_lazy("%(count)d entry", "%(count)d entries", "count")
    SET = pgettext("cards", "Set")
    WON = npgettext("result", "a game", "{n} games", 2)
"""
TEMPLATE = """
    {% load i18n %}
      {# Translators: a button #}
      <b title="{% translate "Seat" %}">{{ _("Table")|add:_("North") }}</b>
    <p>don't {% translate "Draw" context "round" %} "
        {% blocktranslate trimmed with name=entry.name count total=n %}
            {{ name }} has
            {{ total }} point
        {% plural %}
            {{ name }} has {{ total }} points
        {% endblocktranslate %}
      {% blocktranslate %}50% of {{ name }}{% endblocktranslate %}</p>
"""
PURE = """
    FAULT_MESSAGES: dict[str, str] = {"unknown-card": "{card} is not a card.", "twice": "{card} " "twice."}
    _GROUP_LABELS = tuple({"a": ("Scoring", "Exposure")}.items())
    OTHER = {"code": "not for people"}
"""
EXPECTED = {
    ("Gongzhu", "", ""),
    ("Round %(round)s is closed", "", ""),
    ("%(count)d entry", "", "%(count)d entries"),
    ("Set", "cards", ""),
    ("a game", "result", "{n} games"),
    ("Seat", "", ""),
    ("Table", "", ""),
    ("North", "", ""),
    ("Draw", "round", ""),
    ("%(name)s has %(total)s point", "", "%(name)s has %(total)s points"),
    ("50%% of %(name)s", "", ""),
    ("{card} is not a card.", "", ""),
    ("{card} twice.", "", ""),
    ("Scoring", "", ""),
    ("Exposure", "", ""),
}
CHINESE = {
    "Gongzhu": "拱猪",
    "Round %(round)s is closed": "第 %(round)s 轮已结束",
    "%(count)d entry": "%(count)d 个参赛者",
    "Set": "盘",
    "a game": "{n} 局",
    "Seat": "座位",
    "Table": "桌",
    "North": "北",
    "Draw": "编排",
    "%(name)s has %(total)s point": "%(name)s 得 %(total)s 分",
    "50%% of %(name)s": "%(name)s 的 50%%",
    "{card} is not a card.": "{card} 不是牌。",
    "{card} twice.": "{card} 重复。",
    "Scoring": "计分",
    "Exposure": "明牌",
}


@pytest.fixture
def project(tmp_path):
    """A complete, faultless project of three files."""
    for name, text in {
        "tournament/texts.py": PYTHON,
        "templates/page.html": TEMPLATE,
        "scoring/engine/faults.py": PURE,
    }.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True)
        path.write_text(dedent(text), encoding="utf-8")
    store.update(tmp_path, extract.extract(tmp_path))
    for locale in ("zh_Hans", "zh_Hant"):
        path = store.catalog_path(tmp_path, locale)
        catalog = store.load(tmp_path, locale)
        lines = path.read_text(encoding="utf-8")
        for message in catalog:
            if message.id:
                key = store.key_of(message.id, message.context)
                lines = _translated(lines, message.id, CHINESE[key.msgid])
        path.write_text(lines, encoding="utf-8")
    assert check.check(tmp_path, extract.extract(tmp_path)) == []
    return tmp_path


def _translated(po: str, message_id: str | tuple[str, str], translation: str) -> str:
    if isinstance(message_id, str):
        before = f'msgid "{message_id}"\nmsgstr ""\n'
        after = f'msgid "{message_id}"\nmsgstr "{translation}"\n'
    else:
        before = f'msgid_plural "{message_id[1]}"\nmsgstr[0] ""\n'
        after = f'msgid_plural "{message_id[1]}"\nmsgstr[0] "{translation}"\n'
    assert before in po
    return po.replace(before, after)


def _edit(project: Path, name: str, before: str, after: str) -> None:
    path = project / name
    text = path.read_text(encoding="utf-8")
    assert before in text
    path.write_text(text.replace(before, after), encoding="utf-8")


def _faults(project: Path) -> list[tuple[str, str, str]]:
    return [
        (fault.locale, fault.kind, fault.msgid) for fault in check.check(project, extract.extract(project))
    ]


HANT = "locale/zh_Hant/LC_MESSAGES/django.po"


def test_extract_finds_every_way_to_mark_a_string(project):
    entries = extract.extract(project)
    assert {(entry.key.msgid, entry.key.context, entry.plural) for entry in entries} == EXPECTED
    notes = {entry.key.msgid: entry.comments for entry in entries}
    assert notes["Gongzhu"] == ["Translators: the card game"]


def test_extract_finds_strings_within_f_strings(project):
    """On Python 3.11 an f-string is one token: what stood in one was in no catalog, and nobody noticed."""
    (project / "tournament/spoken.py").write_text(
        "from django.utils.translation import gettext as _, pgettext\n"
        "def say(name):\n"
        """    return f"{_('sat out')} ({f'{pgettext(*name)}'})" + f'<b>{pgettext("mark", "late")}</b>'\n"""
    )
    found = {entry.key for entry in extract.extract(project)}
    assert {extract.Key("sat out"), extract.Key("late", "mark")} <= found


def test_extract_order_does_not_depend_on_lines(project):
    before = store.catalog_path(project, "zh_Hans").read_bytes()
    _edit(project, "tournament/texts.py", "\n# Translators", "\n\n\nSPACE = 1\n\n# Translators")
    store.update(project, extract.extract(project))
    assert store.catalog_path(project, "zh_Hans").read_bytes() == before


def test_extract_names_a_broken_template(project, capsys):
    _edit(project, "templates/page.html", "{% blocktranslate %}", "{% blocktranslate %}{% if x %}")
    assert main(["check"], root=project) == 2
    assert "templates/page.html" in capsys.readouterr().err


def test_check_finds_a_missing_string(project):
    _edit(project, "tournament/texts.py", '_("Gongzhu")', '_("Gongzhu") + _("New")')
    assert _faults(project) == [(locale, "missing", "New") for locale in ("en", "zh_Hans", "zh_Hant")]


def test_check_finds_an_untranslated_string(project):
    _edit(project, HANT, 'msgstr "座位"', 'msgstr ""')
    assert _faults(project) == [("zh_Hant", "untranslated", "Seat")]


def test_check_finds_an_untranslated_plural(project):
    _edit(project, HANT, 'msgstr[0] "{n} 局"', 'msgstr[0] ""')
    assert _faults(project) == [("zh_Hant", "untranslated", "a game")]


def test_check_finds_a_fuzzy_string(project):
    _edit(project, HANT, 'msgid "Seat"', '#, fuzzy\nmsgid "Seat"')
    assert _faults(project) == [("zh_Hant", "fuzzy", "Seat")]


def test_check_finds_an_obsolete_string(project):
    _edit(project, "tournament/texts.py", '_("Gongzhu")', "1")
    assert _faults(project) == [(locale, "obsolete", "Gongzhu") for locale in ("en", "zh_Hans", "zh_Hant")]


def test_check_finds_an_obsolete_string_below_the_line(project):
    _edit(project, "tournament/texts.py", '_("Gongzhu")', "1")
    store.update(project, extract.extract(project))
    assert _faults(project) == [(locale, "obsolete", "Gongzhu") for locale in ("zh_Hans", "zh_Hant")]


@pytest.mark.parametrize(
    ("before", "after", "msgid"),
    [
        ("第 %(round)s 轮", "第 %(turn)s 轮", "Round %(round)s is closed"),
        ("第 %(round)s 轮", "第轮", "Round %(round)s is closed"),
        ("%(count)d 个", "%(count)s 个", "%(count)d entry"),
        ("{card} 不是牌。", "{Card} 不是牌。", "{card} is not a card."),
        ("{n} 局", "{m} 局", "a game"),
        ("%(name)s 得", "得", "%(name)s has %(total)s point"),
    ],
)
def test_check_finds_another_placeholder(project, before, after, msgid):
    _edit(project, HANT, before, after)
    assert _faults(project) == [("zh_Hant", "placeholder", msgid)]


def test_check_finds_a_lost_plural(project):
    _edit(project, HANT, 'msgid_plural "{n} games"\nmsgstr[0] "', 'msgstr "')
    assert _faults(project) == [("zh_Hant", "plural", "a game")]


def test_check_finds_english_that_differs_from_the_code(project):
    _edit(project, "locale/en/LC_MESSAGES/django.po", 'msgstr "Seat"', 'msgstr "Chair"')
    assert _faults(project) == [("en", "changed", "Seat")]


def test_check_command_lists_all_faults_and_fails(project, capsys):
    assert main(["check"], root=project) == 0
    _edit(project, HANT, 'msgstr "座位"', 'msgstr ""')
    _edit(project, HANT, 'msgstr "北"', 'msgstr ""')
    capsys.readouterr()
    assert main(["check"], root=project) == 1
    answer = capsys.readouterr().out
    assert "'Seat'" in answer
    assert "'North'" in answer


def test_update_keeps_translations_and_drops_none_by_accident(project):
    _edit(project, "tournament/texts.py", '_("Gongzhu")', '_("Renamed")')
    store.update(project, extract.extract(project))
    assert 'msgstr ""' in store.catalog_path(project, "zh_Hans").read_text().split('msgid "Renamed"')[1][:20]
    _edit(project, "tournament/texts.py", '_("Renamed")', '_("Gongzhu")')
    store.update(project, extract.extract(project))
    assert _faults(project) == []


def test_update_prune_forgets_what_left_the_code(project):
    _edit(project, "tournament/texts.py", '_("Gongzhu")', "1")
    assert main(["update", "--prune"], root=project) == 0
    assert "拱猪" not in store.catalog_path(project, "zh_Hans").read_text()
    assert _faults(project) == []


def test_compile_leaves_out_fuzzy_and_empty_translations(project):
    import gettext

    _edit(project, HANT, 'msgstr "座位"', 'msgstr ""')
    _edit(project, HANT, 'msgid "North"', '#, fuzzy\nmsgid "North"')
    _edit(project, HANT, 'msgstr[0] "{n} 局"', 'msgstr[0] ""')
    assert main(["compile"], root=project) == 0
    catalog = gettext.translation("django", project / "locale", ["zh_Hant"])
    assert catalog.gettext("Table") == "桌"
    assert catalog.pgettext("cards", "Set") == "盘"
    assert catalog.ngettext("%(count)d entry", "%(count)d entries", 5) == "%(count)d 个参赛者"
    assert catalog.gettext("Seat") == "Seat"
    assert catalog.gettext("North") == "North"
    assert catalog.npgettext("result", "a game", "{n} games", 5) == "{n} games"


def test_unmarked_finds_text_and_attributes_outside_gettext():
    template = """
        <h1>{% translate "Standings" %}</h1> <p>Forgotten {{ name }}</p>
        <img alt="picture" src="x.png" class="wide"> <input type="submit" value="提交">
        <input type="hidden" value="secret"> <script>let hidden;</script> {# comment #}
        {% block page_class %}narrow{% endblock page_class %} {% block main %}Lost{% endblock %}
        {% blocktranslate %}marked{% endblocktranslate %} <b title="{% translate "Seat" %}">4 × 16</b> PDF
    """
    found = unmarked.unmarked_in_template(template, allowed=frozenset({"PDF"}))
    assert sorted(found) == ["Forgotten", "Lost", "picture", "提交"]


def test_unmarked_finds_chinese_in_a_script_but_not_in_its_comments():
    script = 'show("提交"); // 说明\n/* 说明 */ send("https://example.org/");'
    assert unmarked.unmarked_in_script(script) == ['show("提交");']
