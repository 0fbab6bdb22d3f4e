"""What a text is found by: words, pairs of characters, identifiers whole and in parts."""

from __future__ import annotations

import pytest

from memoryapp.retrieval.tokens import index_terms, tokenize


@pytest.mark.parametrize(
    ("stored", "asked"),
    [
        ("日志的轮换在后台页面设置", "后台日志轮换"),
        ("昨晚和同事讨论了搬家计划", "搬家计划"),
        ("きのうはたこやきをたべた", "たこやき"),
        ("주말에 자전거수리를 맡겼다", "수리"),
        ("部署v2.3版本到staging", "v2.3"),
        ("部署v2.3版本到staging", "2.3"),
        ("部署v2.3版本到staging", "staging"),
        ("部署v2.3版本到staging", "版本"),
        ("喝茶", "茶"),
        ("Write to ana.lopez@example.org", "ana.lopez@example.org"),
        ("Write to ana.lopez@example.org", "lopez"),
        ("see /etc/nginx/conf.d/site.conf", "etc/nginx/conf.d/site.conf"),
        ("see /etc/nginx/conf.d/site.conf", "nginx"),
        ("set MAX_RETRY_COUNT to 3", "max_retry_count"),
        ("set MAX_RETRY_COUNT to 3", "retry"),
        ("the getUserName helper", "getusername"),
        ("the getUserName helper", "user"),
        ("released v10.2.1-rc1 today", "v10.2.1-rc1"),
        ("meets at the café", "CAFE"),
        ("two reuniones con el equipo", "reunión"),
        ("she was running late", "runs"),
        ("Ana's bicycle", "ana"),
        ("ﬁle and ＦＵＬＬ width", "file full"),
    ],
)
def test_what_is_stored_is_found_as_people_ask(stored: str, asked: str) -> None:
    terms = tokenize(asked)
    assert terms
    assert set(terms) & set(index_terms(stored).counts)


@pytest.mark.parametrize(
    ("text", "language"), [("the of and", "en"), ("el de la que", "es"), ("我们的是", None), ("", None)]
)
def test_words_without_meaning_are_no_terms(text: str, language: str | None) -> None:
    assert tokenize(text, language) == []


def test_a_word_of_another_language_needs_company_to_be_a_stop_word() -> None:
    assert "die" in tokenize("die hard")
    assert "die" not in tokenize("die Katze ist auf der Matte")


def test_the_length_counts_each_word_once() -> None:
    assert index_terms("deploy release_notes.md now, deploy again").length == 3
    assert index_terms("喝茶").length == 1


def test_the_tsvector_is_safe_and_bounded() -> None:
    odd = "o'clock back\\slash 'quoted' " + "word " * 70_000
    text = index_terms(odd).as_tsvector()
    assert "'o''clock':1" in text
    assert len(text.encode()) < 1_048_576
    assert max(len(term) for term in index_terms("x" * 5_000).counts) <= 80
