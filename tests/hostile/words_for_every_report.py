TEXT = (
    "=HYPERLINK(\"http://x.example\")|<script>window.owned = 1</script>\x1b]0;owned\x07\x1b[2J\ud800\udfff\u202e{0.__class__}%s"
    "[bold red]score[/] {{7*7}}\r\nname,score\r\nhonest,0\x00\x08 " + "\u0300" * 5000
)


def double(x):
    raise ValueError(TEXT)


def three():
    raise type(TEXT[:60], (Exception,), {})(TEXT)


answer = TEXT
raise RuntimeError(TEXT)
