"""Who is asking: owner keys, principals, tokens, and the wall in the database."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from memoryapp.actions.facts import NewFact, add_fact
from memoryapp.models import Agent, Fact
from tenants.actions import (
    create_workspace,
    issue_token,
    revoke_token,
    update_workspace,
)
from tenants.authentication import principal_from_token
from tenants.exceptions import (
    EndUserBound,
    InvalidCredentials,
    InvalidOwner,
    InvalidTenantInput,
    NotAllowed,
)
from tenants.memberships import invite
from tenants.models import AccessToken, Membership, Role, Workspace
from tenants.owners import end_user_owner_key, owner_key_from_label
from tenants.scoping import ScopeMismatch, workspace_scope
from tenants.token_format import new_token, read_prefix


@pytest.mark.parametrize(
    "bad", ["", "   ", "system", " System ", "a\x00b", "a\nb", "x" * 129, "\ud800", None, 7, ["x"]]
)
def test_an_end_user_s_id_is_refused_when_blank_overlong_reserved_or_with_control_characters(bad):
    with pytest.raises(InvalidOwner):
        end_user_owner_key(bad)


@pytest.mark.parametrize(
    "odd", ['" || 1==1', "') OR 1=1 OR (", "%", "_", "a/../b", '{"$gt": ""}', "user:1", "日本", "x" * 128]
)
def test_any_other_id_is_opaque(odd):
    assert end_user_owner_key(odd) == f"api:{odd}"


@pytest.mark.parametrize("channel", ["user", "system", "web", "", "Api", "a b", "x" * 33])
def test_a_reserved_or_odd_channel_is_refused(channel):
    with pytest.raises(InvalidOwner):
        end_user_owner_key("mira", channel)


@pytest.mark.parametrize(
    ("label", "key"),
    [
        ("user:1", "user:1"),
        ("mira", "api:mira"),
        ("slack:U1", "slack:U1"),
        ("system", "system"),
        ("A:b", "api:A:b"),
    ],
)
def test_a_bare_label_means_an_api_end_user(label, key):
    assert owner_key_from_label(label) == key


def test_a_token_is_shown_once_and_only_its_digest_is_kept(alice):
    token, plain = issue_token(principal=alice.principal, name="ci")
    stored = AccessToken.objects.get(pk=token.pk)
    assert plain.startswith(f"map_{stored.prefix}_")
    assert plain not in str(stored.__dict__)
    assert principal_from_token(plain).owner_key == alice.principal.owner_key


def test_a_typo_is_refused_without_asking_the_database(db, django_assert_num_queries):
    plain = new_token().text
    wrong = plain[:-1] + ("a" if plain[-1] != "a" else "b")
    assert read_prefix(plain) is not None
    with django_assert_num_queries(0), pytest.raises(InvalidCredentials):
        principal_from_token(wrong)


def test_expired_revoked_and_orphaned_tokens_all_answer_the_same(alice, bob):
    expiring = issue_token(
        principal=alice.principal, name="a", expires_at=timezone.now() + timedelta(days=1)
    )[1]
    revoked_row, revoked = issue_token(principal=alice.principal, name="b")
    revoke_token(principal=alice.principal, token=revoked_row)
    Membership.objects.filter(user=bob.user).delete()
    said = set()
    with time_machine.travel(timezone.now() + timedelta(days=2)):
        for plain in (expiring, revoked, bob.token, new_token().text, "nonsense"):
            with pytest.raises(InvalidCredentials) as refusal:
                principal_from_token(plain)
            said.add(refusal.value.detail)
    assert len(said) == 1


def test_a_bound_token_acts_for_its_end_user_only(alice):
    _, plain = issue_token(principal=alice.principal, name="phone", end_user="mira", scopes=["chat"])
    principal = principal_from_token(plain)
    assert (principal.owner_key, principal.scopes) == ("api:mira", {"chat"})
    assert principal.acting_as("mira").owner_key == "api:mira"
    for other in ("teo", "api:mira"):
        with pytest.raises(EndUserBound):
            principal.acting_as(other)
    with pytest.raises(EndUserBound):
        principal.acting_as("mira", "slack")
    assert principal.as_integrator().integrator is False


def test_nobody_issues_more_than_they_have(alice, vera):
    narrow = principal_from_token(issue_token(principal=alice.principal, name="n", scopes=["chat"])[1])
    with pytest.raises(NotAllowed):
        issue_token(principal=narrow, name="wide", scopes=["admin"])
    with pytest.raises(InvalidTenantInput):
        issue_token(principal=alice.principal, name="odd", scopes=["everything"])
    with pytest.raises(NotAllowed):
        invite(principal=vera.principal, role=Role.VIEWER)
    with pytest.raises(NotAllowed):
        revoke_token(principal=vera.principal, token=AccessToken.objects.filter(user=alice.user).first())


def test_a_secret_is_sealed(alice):
    update_workspace(
        principal=alice.principal, secrets={"llm_api_key": "sk-" + "q" * 40}, time_zone="Asia/Tokyo"
    )
    stored = Workspace.objects.get(pk=alice.workspace.pk)
    assert (stored.unseal("llm_api_key"), "qqqq" in str(stored.sealed_secrets), stored.time_zone) == (
        "sk-" + "q" * 40,
        False,
        "Asia/Tokyo",
    )


@pytest.mark.parametrize(
    "bad", [{"name": " "}, {"slug": "Not A Slug"}, {"slug": "harbour"}, {"time_zone": "Mars/Olympus"}]
)
def test_a_workspace_with_bad_fields_is_refused(alice, bad):
    with pytest.raises(InvalidTenantInput):
        create_workspace(**{"name": "New", "slug": "new", "owner": alice.user, **bad})
    assert Workspace.objects.filter(memberships__user=alice.user).count() == 1


def test_outside_a_scope_the_database_shows_nothing(alice):
    add_fact(principal=alice.principal, agent=alice.agent, new=NewFact(text="Mine"))
    assert (Fact.objects.count(), Agent.objects.count()) == (0, 0)
    with workspace_scope(alice.workspace):
        assert (Fact.objects.count(), Agent.objects.count()) == (1, 1)
    assert Fact.objects.count() == 0


def test_inside_one_workspace_s_scope_another_s_rows_do_not_exist(alice, charlie):
    fact = add_fact(principal=alice.principal, agent=alice.agent, new=NewFact(text="Mine")).fact
    with workspace_scope(charlie.workspace):
        assert not Fact.objects.filter(pk=fact.pk).exists()
        assert Fact.objects.filter(pk=fact.pk).update(text="Theirs") == 0
        with pytest.raises(DatabaseError), transaction.atomic():
            Fact.objects.bulk_create([fact])
        with pytest.raises(ScopeMismatch), workspace_scope(alice.workspace):
            pass


@pytest.mark.django_db(transaction=True)
def test_a_connection_comes_back_from_a_scope_without_a_workspace(alice):
    with pytest.raises(ZeroDivisionError), workspace_scope(alice.workspace):
        1 / 0  # noqa: B018
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT nullif(current_setting('app.workspace_id', true), ''), count(*) FROM memoryapp_agent"
        )
        assert cursor.fetchone() == (None, 0)
