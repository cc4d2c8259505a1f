"""The picture that goes with a shared link 分享图: the event's name beside a fan of cards, 1200 × 630 pixels.

The suits are drawn, so that no font is needed for them; names are set in the first Chinese font that the
machine has. A machine without one gets the picture without the names that it cannot write.
"""

from functools import lru_cache
from io import BytesIO
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

SIZE = (1200, 630)
_PAPER, _INK, _SOFT, _GREEN, _RED, _EDGE = "#f6f4ee", "#1b2220", "#535c57", "#17594a", "#b3202b", "#b9b5a8"
_MARGIN = 64
#: Pixels that names may take, beside the cards.
_ROOM = 610
#: Signs from here on may stand on a line of their own: no spaces tell Chinese words apart.
_BEYOND_LATIN = 0x2000
#: Shapes are drawn so many times larger and made smaller after, which smooths their edges.
_FINE = 4

#: Where Linux, Windows and macOS keep fonts with Chinese characters, the ones liked best first.
_FONTS = (
    "/usr/share/fonts/**/NotoSerifCJK-Bold.ttc",
    "/usr/share/fonts/**/SourceHanSerif*Bold*",
    "/usr/share/fonts/**/NotoSansCJK-Bold.ttc",
    "/usr/share/fonts/**/NotoSansCJK-Regular.ttc",
    "/usr/share/fonts/**/wqy-*.ttc",
    "C:/Windows/Fonts/simsunb.ttf",
    "C:/Windows/Fonts/msyhbd.ttc",
    "C:/Windows/Fonts/simsun.ttc",
    "/System/Library/Fonts/Supplemental/Songti.ttc",
    "/System/Library/Fonts/PingFang.ttc",
)
#: No text is set smaller, in pixels.
_SMALLEST = 24
#: In collections of one font for several languages, the face for Chinese.
_FACES = ("SC", "TC")


def draw_preview(*, title: str, subtitle: str, foot: str) -> bytes:
    """A PNG with the event's name large, the tournament's above and one line below."""
    picture = Image.new("RGB", SIZE, _PAPER)
    pen = ImageDraw.Draw(picture)
    for y, thick in ((28, 3), (35, 1), (SIZE[1] - 36, 1), (SIZE[1] - 31, 3)):
        pen.rectangle((_MARGIN, y, SIZE[0] - _MARGIN, y + thick - 1), fill=_INK)
    _fan(picture)
    _text(pen, subtitle, 34, 110, _SOFT, height=92)
    _text(pen, title, 92, 220, _GREEN, height=268)
    _text(pen, foot, 30, 498, _INK, height=80)
    stored = BytesIO()
    picture.save(stored, "PNG", optimize=True)
    return stored.getvalue()


def can_write(text: str, font: Path | None) -> bool:
    """Whether the text can be set: Latin always, anything beyond only with a font of the machine's."""
    return font is not None or all(ord(sign) < 0x250 for sign in text)


@lru_cache(maxsize=1)
def chinese_font() -> Path | None:
    """The machine's font for Chinese, or None."""
    for pattern in _FONTS:
        base, _, rest = pattern.partition("**/")
        found = sorted(Path(base).rglob(rest)) if rest else [Path(pattern)]
        for path in found:
            if path.is_file():
                return path
    return None


def _face(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    path = chinese_font()
    if path is None:
        return ImageFont.load_default(size)
    first = ImageFont.truetype(str(path), size)
    for place in range(12):
        try:
            face = ImageFont.truetype(str(path), size, index=place)
        except OSError:
            break
        if str(face.getname()[0]).endswith(_FACES):
            return face
    return first


def _text(pen: ImageDraw.ImageDraw, text: str, size: int, top: int, colour: str, *, height: int) -> None:
    text = " ".join(text.split())  # only a whole line can be measured
    if not text or not can_write(text, chinese_font()):
        return
    size, lines = fitted(pen, text, size, height)
    for place, line in enumerate(lines):
        pen.text((_MARGIN, top + place * _leading(size)), line, font=_face(size), fill=colour)


def _leading(size: int) -> int:
    return round(size * 1.3)


def fitted(pen: ImageDraw.ImageDraw, text: str, size: int, height: int) -> tuple[int, list[str]]:
    """Size in pixels and lines of a text within so much height: smaller than asked for where it would not
    fit, and cut short, with a sign of it, where that does not help.
    """
    while True:
        broken = _broken(pen, text, _face(size))
        fitting = height // _leading(size)
        if len(broken) <= fitting or size <= _SMALLEST:
            break
        size -= 4
    shown = broken[:fitting]
    if len(broken) > fitting:
        shown[-1] = f"{shown[-1][:-1]}…"
    return size, shown


def _broken(
    pen: ImageDraw.ImageDraw, text: str, face: ImageFont.FreeTypeFont | ImageFont.ImageFont
) -> list[str]:
    """The text in lines that fit: between Latin words, and between Chinese characters, where no line ends
    with an opening sign or begins with a closing one.
    """
    lines, line = [], ""
    for piece in _pieces(text):
        if line and pen.textlength((line + piece).rstrip(), font=face) > _ROOM:
            lines.append(line.rstrip())
            line = piece.lstrip()
        else:
            line += piece
    return [*lines, line.rstrip()] if line.strip() else lines


_OPENING, _CLOSING = "（《〈「『【“‘(", "）》〉」』】”’)，。、；：？！·,.;:?!"


def _pieces(text: str) -> list[str]:
    pieces: list[str] = []
    for sign in text:
        before = pieces[-1][-1] if pieces else " "
        if pieces and (before in _OPENING or (sign in _CLOSING and not before.isspace())):
            pieces[-1] += sign
        elif before.isspace() or sign.isspace() or ord(sign) >= _BEYOND_LATIN or ord(before) >= _BEYOND_LATIN:
            pieces.append(sign)
        else:
            pieces[-1] += sign
    return pieces


def _fan(picture: Image.Image) -> None:
    """Four cards, one of each suit."""
    for place, suit in enumerate("CDSH"):
        turned = _card(suit).rotate(24 - 16 * place, expand=True, resample=Image.Resampling.BICUBIC)
        x = 862 + 70 * place - 35 * 3 - turned.width // 2 + 70
        y = 330 + abs(2 * place - 3) * 8 - turned.height // 2
        picture.paste(turned, (x, y), turned)


def _card(suit: str) -> Image.Image:
    width, height = 210 * _FINE, 300 * _FINE
    card = Image.new("RGBA", (width, height), (0, 0, 0, 0))
    pen = ImageDraw.Draw(card)
    pen.rounded_rectangle(
        (2, 2, width - 3, height - 3), 18 * _FINE, fill="#ffffff", outline=_EDGE, width=2 * _FINE
    )
    _suit(pen, suit, width // 2, height // 2, 58 * _FINE)
    _suit(pen, suit, 30 * _FINE, 36 * _FINE, 15 * _FINE)
    return card.resize((width // _FINE, height // _FINE), Image.Resampling.LANCZOS)


def _suit(pen: ImageDraw.ImageDraw, suit: str, x: int, y: int, r: int) -> None:
    """A suit sign about (x, y), r from its middle to its tip."""

    def circle(dx: float, dy: float, radius: float) -> None:
        left, top = x + dx * r - radius * r, y + dy * r - radius * r
        pen.ellipse((left, top, left + 2 * radius * r, top + 2 * radius * r), fill=colour)

    def shape(*points: tuple[float, float]) -> None:
        pen.polygon([(x + dx * r, y + dy * r) for dx, dy in points], fill=colour)

    colour = _RED if suit in "HD" else _INK
    if suit == "D":
        shape((0, -1), (0.72, 0), (0, 1), (-0.72, 0))
    elif suit == "H":
        circle(-0.42, -0.35, 0.46)
        circle(0.42, -0.35, 0.46)
        shape((-0.82, -0.12), (0, 1), (0.82, -0.12), (0, -0.5))
    else:
        shape((-0.34, 1), (0.34, 1), (0.06, 0.3), (-0.06, 0.3))
        if suit == "S":
            circle(-0.42, 0.22, 0.44)
            circle(0.42, 0.22, 0.44)
            shape((-0.8, 0.0), (0, -1), (0.8, 0.0), (0, 0.4))
        else:
            for dx, dy in ((0, -0.5), (-0.48, 0.2), (0.48, 0.2)):
                circle(dx, dy, 0.44)
            circle(0, 0, 0.3)
