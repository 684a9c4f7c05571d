"""JSON that every reader accepts: no NaN, no infinity, only ASCII (bots may write lone surrogates)."""

import json
import math
import sys
from typing import Any


def encode(data: Any) -> str:
    """Encode plain data as JSON text."""
    try:
        return json.dumps(data, separators=(",", ":"), allow_nan=False)
    except ValueError:
        return json.dumps(finite(data), separators=(",", ":"), allow_nan=False)


def finite(value: Any) -> Any:
    """The same data without what JSON cannot hold: infinities become the largest number, NaN becomes null."""
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else math.copysign(sys.float_info.max, value)
    if isinstance(value, dict):
        return {name: finite(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [finite(item) for item in value]
    return value


def encode_for_page(data: Any) -> str:
    """JSON that is safe inside a script element of a page."""
    return encode(data).replace("<", "\\u003c").replace("&", "\\u0026")
