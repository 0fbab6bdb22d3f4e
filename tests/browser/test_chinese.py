"""The dashboard in a browser that asks for Chinese: in its words, scripts' and dialogs' included, until one chooses."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import expect

from memoryapp.actions.facts import NewFact, add_fact
from tests.browser.conftest import Visitor
from tests.conftest import PASSWORD, Person


def test_somebody_forgets_a_fact_in_chinese_and_goes_on_in_english(
    visit: Callable[..., Visitor], alice: Person
) -> None:
    add_fact(principal=alice.principal, agent=alice.agent, new=NewFact(text="爱丽丝住在鹿特丹。"))
    visitor = visit(locale="zh-CN")
    page = visitor.page
    page.goto("/sign-in/")
    page.get_by_label("用户名").fill(alice.user.get_username())
    page.get_by_label("密码").fill(PASSWORD)
    page.get_by_role("button", name="登录").click()
    page.wait_for_url("**/overview/")
    expect(page.locator("html")).to_have_attribute("lang", "zh-hans")

    page.get_by_role("link", name="事实", exact=True).click()
    page.get_by_label("全选本页").check()
    expect(page.get_by_text("1 项已选")).to_be_visible()
    page.get_by_role("button", name="忘记…", exact=True).click()
    page.get_by_role("button", name=re.compile("在所有地方忘记")).click()
    expect(page.locator("#toasts")).to_contain_text("已忘记 1 条事实")
    page.locator("#toasts").get_by_role("button", name="撤销").click()
    expect(page.locator("#toasts")).to_contain_text("一切都已恢复原位。")
    assert not visitor.scrolls_sideways()

    page.reload()
    page.get_by_role("button", name="主题与退出登录").click()
    page.get_by_role("button", name="English").click()
    expect(page.get_by_role("heading", name="Facts", exact=True)).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", "en")
    assert visitor.complaints == []
