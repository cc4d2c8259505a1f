"""Who takes part in the demo tournament. Names and clubs are invented."""

from dataclasses import dataclass

#: Of every log-in. Known to everybody who reads this file, hence the refusal to make the demo on a site in
#: use, and the warning to whoever logs in with it.
PASSWORD = "demo"  # noqa: S105 -- no secret

CLUBS = ("北京燕山", "上海浦江", "杭州西溪", "成都锦里", "广州越秀", "西安雁塔")


@dataclass(frozen=True)
class DemoUser:
    """A log-in of the demo: its role in the tournament ("" for none) and the page it begins at."""

    username: str
    full_name: str
    role: str
    start: str


ORGANISER = DemoUser("organiser", "苏文远", "organiser", "manage:home")
CHIEF = DemoUser("chief", "严守正", "chief_referee", "referee:home")
REFEREE = DemoUser("referee", "何清", "table_referee", "referee:home")
REFEREE_TWO = DemoUser("referee2", "魏然", "table_referee", "referee:home")
USERS = (ORGANISER, CHIEF, REFEREE, REFEREE_TWO)

#: Name and place of the club in CLUBS.
SINGLES = (
    ("陈嘉禾", 0), ("林晓川", 1), ("王思远", 2), ("周雨桐", 3),
    ("吴景行", 4), ("郑一鸣", 5), ("冯子墨", 0), ("褚云帆", 1),
    ("卫若兰", 2), ("蒋明哲", 3), ("沈听澜", 4), ("韩北辰", 0),
    ("杨知夏", 1), ("欧阳静", 2), ("秦牧野", 3), ("许望舒", 5),
)  # fmt: skip

PAIRS = (
    (("李怀瑾", "赵清和"), 0),
    (("钱亦凡", "孙若溪"), 1),
    (("何文博", "吕思齐"), 2),
    (("施雅宁", "张承泽"), 3),
    (("孔令仪", "曹景明"), 4),
    (("华以沫", "金辰逸"), 5),
    (("魏书瑶", "陶然"), 0),
    (("姜南星", "谢长风"), 2),
)

FAMILY = (
    ("戚明月", 0), ("邹鲁一", 1), ("喻怀安", 2), ("柏青", 3),
    ("水若寒", 4), ("窦一诺", 5), ("章启明", 1), ("云飞扬", 2),
    ("苏小满", 3), ("潘越", 4), ("葛洪亮", 5), ("奚梦", 0),
)  # fmt: skip
