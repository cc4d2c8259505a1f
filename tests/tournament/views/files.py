"""Files as a browser sends them."""

import io


def as_upload(data: bytes, name: str = "表格.xlsx") -> io.BytesIO:
    """The bytes as a file of a form."""
    stream = io.BytesIO(data)
    stream.name = name
    return stream
