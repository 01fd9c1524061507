"""A link as a picture for the cameras of phones, made without a request to anybody."""

import html
import ipaddress
from urllib.parse import urlsplit

import segno


def qr(link: str) -> str:
    """The link as a picture: dark on white in either theme, as cameras need it.

    >>> qr("http://192.168.1.20:8501/the_trick?step=4")[:30]
    '<img alt="QR picture of http:/'
    """
    picture = segno.make(link, error="m", micro=False).svg_data_uri(scale=6, light="#FFFFFF")
    return f'<img alt="QR picture of {html.escape(link)}" src="{html.escape(picture)}">'


def is_here_only(address: str) -> bool:
    """Whether an address leads nowhere from another computer.

    >>> is_here_only("http://localhost:8501/the_trick"), is_here_only("http://[::1]:8501/")
    (True, True)
    >>> is_here_only("http://192.168.1.20:8501/the_trick"), is_here_only("https://dp.example.org")
    (False, False)
    """
    host = urlsplit(address).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
