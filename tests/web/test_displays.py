"""What can be touched at each step of a move of many cells."""

from pbmserv.web.displays import Links, stepwise

LINKS = Links(lambda move: f"sends {move}", lambda touched, _: touched)
ONE_MAN, TWO_MEN = "20/15/13", "20/15+13/11"


def test_a_move_that_can_go_on_is_not_sent_before_it_is_chosen_below() -> None:
    orders = {("20", "15", "13"): ONE_MAN, ("20", "15", "13", "11"): TWO_MEN, ("13", "11", "20", "15"): TWO_MEN}
    assert stepwise(orders, LINKS, "20.15").cells == {"13": "20.15.13"}
    step = stepwise(orders, LINKS, "20.15.13")
    assert step.cells == {"11": f"sends {TWO_MEN}"}
    assert step.moves == [(TWO_MEN, f"sends {TWO_MEN}"), (ONE_MAN, f"sends {ONE_MAN}")]
    assert stepwise(orders, LINKS, "13.11.20").cells == {"15": f"sends {TWO_MEN}"}
