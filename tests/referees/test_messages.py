"""Messages: only the count tells where a body ends."""

from hypothesis import given
from hypothesis import strategies as st

from podium.referees.messages import ENDS_A_LINE, Reader, encode, one_line


def read_all(text):
    lines = iter(text.encode().split(b"\n")[:-1])
    reader = Reader(lambda: next(lines, None))
    found = []
    while (message := reader.read()) is not None:
        found.append(message)
    return found, reader.stray


def test_a_body_may_look_like_a_header():
    (message,), stray = read_all("[[NEXT_PLAYER_INPUT] 2]\n[[FAIL] 3]\nplain\n")
    assert message == ("NEXT_PLAYER_INPUT", ["[[FAIL] 3]", "plain"])
    assert stray == []


def test_lines_before_the_first_header_are_passed_over_and_kept():
    (message,), stray = read_all("OpenJDK warning: sharing is off\n[[INFOS] 0]\n")
    assert message.name == "INFOS"
    assert stray == ["OpenJDK warning: sharing is off"]


def test_the_blank_before_the_count_is_optional_and_windows_ends_headers_otherwise():
    messages, _ = read_all("[[VIEW]1]\r\nKEY_FRAME 0\n[[INFOS] 0]\r\n")
    assert messages == [("VIEW", ["KEY_FRAME 0"]), ("INFOS", [])]


def test_separators_of_unicode_do_not_end_a_line():
    text = "a\u2028b\x85c\x0bd"
    (message,), _ = read_all(f"[[NEXT_PLAYER_INPUT] 1]\n{text}\n")
    assert message.lines == [text]


def test_parameters_of_several_lines_belong_to_uinput():
    messages, _ = read_all("[[UINPUT] 2]\nmap=first\nsecond\nseed=4\n[[METADATA] 1]\n{}\n")
    assert messages == [("UINPUT", ["map=first", "second", "seed=4"]), ("METADATA", ["{}"])]


def test_a_message_that_breaks_off_is_what_came_of_it():
    messages, _ = read_all("[[SCORES] 2]\n0 5\n")
    assert messages == [("SCORES", ["0 5"])]


@given(st.lists(st.text(st.characters(exclude_categories=("Cs",)))))
def test_what_is_sent_as_single_lines_is_read_back(texts):
    lines = [one_line(text) for text in texts]
    assert not any(ENDS_A_LINE.search(line) for line in lines)
    (message,), stray = read_all(encode("SET_PLAYER_OUTPUT", lines).decode())
    assert (message.lines, stray) == (lines, [])


def test_text_that_cannot_be_encoded_does_not_break_the_stream():
    assert encode("SET_PLAYER_OUTPUT", ["\ud800"]) == b"[[SET_PLAYER_OUTPUT] 1]\n?\n"
