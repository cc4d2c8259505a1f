"""The server that `make run` becomes: gunicorn, which names its addresses once it answers there.

It reads the program anew, which takes seconds: an address named earlier would be opened and refused, and
Ctrl-C would end in a traceback.
"""

import sys
from typing import Any

from gunicorn.app.wsgiapp import WSGIApplication

from scripts.serve import interrupted, name_addresses


def tell(server: Any) -> None:
    """For gunicorn's ``when_ready``: the socket is open and the program is read."""
    [(_host, port)] = server.cfg.address
    name_addresses("https" if server.cfg.is_ssl else "http", port)


class HallServer(WSGIApplication):  # type: ignore[misc]  # gunicorn's types are not read
    def load_config(self) -> None:
        super().load_config()
        self.cfg.set("when_ready", tell)


if __name__ == "__main__":
    try:
        HallServer("%(prog)s [OPTIONS] [APP_MODULE]").run()
    except KeyboardInterrupt:
        sys.exit(interrupted())
