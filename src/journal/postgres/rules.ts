/**
 * The rules of a team that hold for SQL as well as for purser: who may send, what needs a second person, what a person sends on a day, and
 * that what was planned stays as it was. A function runs with its owner's rights where it writes what nobody else may.
 *
 * A batch's `planner` is the login that loads it; `plan` has its text and the sums of its rows as they were when it was sealed. `counted` are
 * the payments that were marked on a day (UTC, by the database's clock), and `sent` their sums by login: a payment counts once a day,
 * whatever becomes of it, because only its sender says that.
 */
import type { TeamPolicy } from "../../ports/team.js";

const amount = "[0-9]{1,15}([.][0-9]{1,14})? [A-Z]{3}";

/** The forms of the values. */
export const policyForms: Readonly<Record<keyof TeamPolicy, string>> = {
	approval: `^(always|above ${amount}( a day)?)$`,
	"cap-per-person-day": `^${amount}$`,
};

const refusal = "BEGIN RAISE EXCEPTION '%s are never %', TG_TABLE_NAME, CASE TG_OP WHEN 'UPDATE' THEN 'changed' ELSE 'removed' END; END";
const kept = ["event", "plan", "approval"].map(
	(table) => `
CREATE TRIGGER ${table}_is_kept BEFORE UPDATE OR DELETE ON ${table} FOR EACH ROW EXECUTE FUNCTION event_refusal();
CREATE TRIGGER ${table}_is_not_lost BEFORE TRUNCATE ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION event_refusal();`,
);

const today = "to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD')";
const now = `to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
/** Otherwise a transaction could decide by what was there before it waited. */
const committed = `IF current_setting('transaction_isolation') <> 'read committed' THEN
		RAISE EXCEPTION 'The journal is written at the isolation level read committed only' USING ERRCODE = 'PURKE';
	END IF;`;

/** The tables, functions and triggers. The codes of what they refuse are told in trouble.ts. */
export function rulesText(schema: string): string {
	const path = `SET search_path TO ${schema}, pg_temp`;
	const may = (role: string): string => `pg_has_role(session_user, '${schema}_${role}', 'USAGE')`;
	const unlessSender = `IF NOT ${may("sender")} THEN
		RAISE EXCEPTION '% may not send payments: the role ${schema}_sender is missing', session_user USING ERRCODE = 'PURRO';
	END IF;`;
	return `
ALTER TABLE batch ADD COLUMN planner TEXT;
CREATE TABLE policy (key TEXT PRIMARY KEY, value TEXT NOT NULL, CHECK (CASE key ${Object.entries(policyForms)
		.map(([key, form]) => `WHEN '${key}' THEN value ~ '${form}'`)
		.join(" ")} ELSE false END));
CREATE TABLE plan (batch BIGINT PRIMARY KEY, digest TEXT NOT NULL UNIQUE, text TEXT NOT NULL, sums JSONB NOT NULL, planner TEXT NOT NULL,
	at TEXT NOT NULL);
CREATE TABLE approval (digest TEXT, approver TEXT, approved BOOLEAN, reason TEXT, key TEXT, signed TEXT, signature TEXT, at TEXT NOT NULL,
	PRIMARY KEY (digest, approver, approved));
CREATE TABLE counted (day TEXT, intent BIGINT, sums JSONB, PRIMARY KEY (day, intent, sums));
CREATE TABLE sent (day TEXT, login TEXT, currency TEXT, total NUMERIC NOT NULL, PRIMARY KEY (day, login, currency));
CREATE FUNCTION event_refusal() RETURNS trigger LANGUAGE plpgsql ${path} AS $$${refusal}$$;${kept.join("")}
CREATE FUNCTION sums_of(content JSON) RETURNS JSONB LANGUAGE sql IMMUTABLE ${path} AS $$
	SELECT CASE WHEN amount ~ '^[0-9]{1,30}([.][0-9]{1,30})?$' THEN
		jsonb_build_object(CASE WHEN currency ~ '^[A-Z]{3}$' THEN currency ELSE '' END, amount::numeric) END
	FROM (SELECT coalesce(content ->> 3, content #>> '{transfer,amount}') AS amount,
		coalesce(content ->> 4, content #>> '{transfer,currency}') AS currency) AS given
$$;
CREATE FUNCTION sent_today(person TEXT) RETURNS JSONB LANGUAGE sql STABLE ${path} AS $$
	SELECT coalesce(jsonb_object_agg(currency, total), '{}') FROM (SELECT currency, sum(total) AS total FROM sent
		WHERE day = ${today} AND login = coalesce(person, login) GROUP BY currency) AS all_of_it
$$;
CREATE FUNCTION is_above(most TEXT, asked JSONB, before JSONB) RETURNS BOOLEAN LANGUAGE sql IMMUTABLE ${path} AS $$
	SELECT EXISTS (SELECT FROM jsonb_each_text(asked) WHERE key <> split_part(most, ' ', 2) OR value::numeric
		+ coalesce((before ->> key)::numeric, 0) + coalesce((before ->> '')::numeric, 0) > split_part(most, ' ', 1)::numeric)
$$;
CREATE FUNCTION approval_needed(whole JSONB, added JSONB) RETURNS BOOLEAN LANGUAGE sql STABLE ${path} AS $$
	SELECT coalesce((SELECT CASE WHEN value = 'always' THEN true WHEN value LIKE '% a day' THEN is_above(substr(value, 7), added, sent_today(NULL))
		ELSE is_above(substr(value, 7), whole, '{}') END FROM policy WHERE key = 'approval'), false)
$$;
CREATE FUNCTION is_approved(of_batch BIGINT) RETURNS BOOLEAN LANGUAGE sql STABLE ${path} AS $$
	SELECT EXISTS (SELECT FROM plan JOIN approval USING (digest) WHERE batch = of_batch AND approved AND approver <> planner)
$$;
CREATE FUNCTION intent_rules() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER ${path} AS $$
DECLARE
	its RECORD;
	asked JSONB;
	added JSONB;
	word TEXT;
BEGIN
	${committed}
	IF TG_OP = 'DELETE' THEN
		IF EXISTS (SELECT FROM batch WHERE number = OLD.batch AND state = 'loading') THEN RETURN OLD; END IF;
		RAISE EXCEPTION 'What was recorded is never removed' USING ERRCODE = 'PURKE';
	END IF;
	IF NEW.effect <> 'money' AND (NEW.batch IS NOT NULL OR NEW.content::json -> 'transfer' IS NOT NULL) THEN
		RAISE EXCEPTION 'A payment was recorded as something else' USING ERRCODE = 'PURKE';
	END IF;
	IF TG_OP = 'UPDATE' THEN
		IF (NEW.number, NEW.effect, NEW.batch, NEW.row, NEW.carried) IS DISTINCT FROM (OLD.number, OLD.effect, OLD.batch, OLD.row, OLD.carried)
			OR ((NEW.content, NEW.party, NEW.fingerprint, NEW.alike, NEW.sandbox) IS DISTINCT FROM (OLD.content, OLD.party, OLD.fingerprint, OLD.alike,
				OLD.sandbox) AND (OLD.batch IS NOT NULL OR OLD.state <> 'not-created')) THEN
			RAISE EXCEPTION 'What was planned or sent is never changed' USING ERRCODE = 'PURKE';
		END IF;
	END IF;
	IF NEW.effect <> 'money' THEN RETURN NEW; END IF;
	IF TG_OP = 'INSERT' AND NEW.batch IS NOT NULL THEN
		SELECT state, planner INTO its FROM batch WHERE number = NEW.batch FOR SHARE;
		IF (its.state, its.planner) IS DISTINCT FROM ('loading', session_user::text) OR (NEW.state, NEW.attempt) <> ('planned', 0)
			OR sums_of(NEW.content::json) IS NULL THEN
			RAISE EXCEPTION 'Batch % takes no such row: rows are added while it is loaded, by whoever plans it', NEW.batch USING ERRCODE = 'PURKE';
		END IF;
		RETURN NEW;
	END IF;
	IF TG_OP = 'UPDATE' AND NEW.state = 'abandoned' AND OLD.state = 'planned' THEN RETURN NEW; END IF;
	${unlessSender}
	IF TG_OP = 'INSERT' THEN
		IF NEW.carried IS NOT NULL AND NEW.state IN ('accepted', 'waiting', 'refused', 'not-sent', 'in-doubt', 'not-created') THEN RETURN NEW; END IF;
		IF NEW.state <> 'sending' THEN RAISE EXCEPTION 'A payment is recorded as being sent first' USING ERRCODE = 'PURKE'; END IF;
	ELSE
		IF NEW.state <> OLD.state AND (OLD.state = 'abandoned' OR NEW.state IN ('planned', 'abandoned')
			OR (OLD.state IN ('accepted', 'waiting') AND NEW.state <> 'in-doubt') OR (OLD.state = 'in-doubt' AND NEW.state = 'sending')) THEN
			RAISE EXCEPTION 'A payment that is % is never made %', OLD.state, NEW.state USING ERRCODE = 'PURKE';
		END IF;
		IF NEW.state <> 'sending' OR OLD.state = 'sending' THEN
			IF OLD.reopened = 1 OR (OLD.state IN ('accepted', 'waiting') AND NEW.state = 'in-doubt') THEN NEW.reopened := 1; END IF;
			RETURN NEW;
		END IF;
	END IF;
	SELECT state, first, last, sums INTO its FROM batch LEFT JOIN plan ON plan.batch = batch.number WHERE batch.number = NEW.batch;
	IF NEW.batch IS NOT NULL AND (its.state IS DISTINCT FROM 'begun' OR (NEW.number BETWEEN its.first AND its.last) IS NOT TRUE) THEN
		RAISE EXCEPTION 'Row % of batch % is not to be sent: the batch was not begun with it', NEW.row, NEW.batch USING ERRCODE = 'PURKE';
	END IF;
	IF NOT EXISTS (SELECT FROM policy) THEN RETURN NEW; END IF;
	asked := sums_of(NEW.content::json);
	IF asked IS NULL THEN RAISE EXCEPTION 'The amount of payment % cannot be read', NEW.number USING ERRCODE = 'PURKE'; END IF;
	LOCK TABLE sent IN SHARE ROW EXCLUSIVE MODE;
	added := CASE WHEN EXISTS (SELECT FROM counted WHERE day = ${today} AND intent = NEW.number AND sums = asked) THEN '{}' ELSE asked END;
	SELECT value INTO word FROM policy WHERE key = 'approval';
	IF NEW.batch IS NULL AND approval_needed(asked, added) THEN
		RAISE EXCEPTION 'This payment needs the approval of a second person (policy of the team: %)', word USING ERRCODE = 'PURAS';
	ELSIF NEW.batch IS NOT NULL AND approval_needed(its.sums, added) THEN
		IF NOT is_approved(NEW.batch) THEN
			RAISE EXCEPTION 'Row % of batch % needs the approval of a second person, and has none (policy of the team: %)', NEW.row, NEW.batch, word
				USING ERRCODE = 'PURAR';
		ELSIF OLD.reopened = 1 THEN
			RAISE EXCEPTION 'Row % of batch % was decided and opened again: another payment of it needs an approval of its own', NEW.row, NEW.batch
				USING ERRCODE = 'PURAR';
		END IF;
	END IF;
	SELECT value INTO word FROM policy WHERE key = 'cap-per-person-day';
	IF is_above(word, added, sent_today(session_user)) THEN
		RAISE EXCEPTION 'With this payment % would send more today (UTC) than the team lets one person send (%)', session_user, word
			USING ERRCODE = 'PURCP';
	END IF;
	IF added <> '{}' THEN
		INSERT INTO counted VALUES (${today}, NEW.number, added);
		INSERT INTO sent SELECT ${today}, session_user, key, value::numeric FROM jsonb_each_text(added)
			ON CONFLICT (day, login, currency) DO UPDATE SET total = sent.total + excluded.total;
	END IF;
	RETURN NEW;
END $$;
CREATE TRIGGER intent_follows_rules BEFORE INSERT OR UPDATE OR DELETE ON intent FOR EACH ROW EXECUTE FUNCTION intent_rules();
CREATE FUNCTION batch_rules() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER ${path} AS $$
DECLARE
	its RECORD;
	said RECORD;
BEGIN
	${committed}
	IF TG_OP = 'DELETE' THEN
		IF OLD.state = 'loading' THEN RETURN OLD; END IF;
		RAISE EXCEPTION 'What was recorded is never removed' USING ERRCODE = 'PURKE';
	ELSIF TG_OP = 'INSERT' THEN
		IF NEW.state <> 'loading' THEN RAISE EXCEPTION 'A batch is loaded first' USING ERRCODE = 'PURKE'; END IF;
		NEW.planner := session_user;
		RETURN NEW;
	ELSIF (NEW.number, NEW.shared, NEW.planner) IS DISTINCT FROM (OLD.number, OLD.shared, OLD.planner) OR (OLD.state <> 'loading'
		AND (NEW.first, NEW.last, NEW.plan, NEW.rows_digest) IS DISTINCT FROM (OLD.first, OLD.last, OLD.plan, OLD.rows_digest)) THEN
		RAISE EXCEPTION 'What was planned is never changed' USING ERRCODE = 'PURKE';
	END IF;
	-- Until the table's statistics know its rows, looking for rows alike compares each with each.
	IF NEW.last - NEW.first >= 1000 AND (OLD.last IS NULL OR trunc(log(4, NEW.last - NEW.first)) > trunc(log(4, greatest(OLD.last - OLD.first, 1)))) THEN
		ANALYZE intent;
	END IF;
	IF NEW.state = OLD.state OR (OLD.state, NEW.state) IN (('planned', 'loading'), ('planned', 'abandoned'), ('begun', 'abandoned')) THEN
		RETURN NEW;
	ELSIF (OLD.state, NEW.state) = ('loading', 'planned') THEN
		IF OLD.planner <> session_user OR NEW.plan::json ->> 'batch' IS DISTINCT FROM NEW.number::text
			OR EXISTS (SELECT FROM plan WHERE batch = NEW.number) THEN
			RAISE EXCEPTION 'Batch % is planned once, by whoever loaded it', NEW.number USING ERRCODE = 'PURKE';
		END IF;
		INSERT INTO plan SELECT NEW.number, encode(sha256(convert_to(NEW.plan, 'UTF8')), 'hex'), NEW.plan,
			(SELECT coalesce(jsonb_object_agg(currency, total), '{}') FROM (SELECT CASE WHEN content::json ->> 4 ~ '^[A-Z]{3}$' THEN content::json ->> 4
				ELSE '' END AS currency, sum((content::json ->> 3)::numeric) AS total FROM intent
				WHERE number BETWEEN NEW.first AND NEW.last AND batch = NEW.number GROUP BY 1) AS rows),
			session_user, ${now};
		RETURN NEW;
	ELSIF (OLD.state, NEW.state) <> ('planned', 'begun') THEN
		RAISE EXCEPTION 'A batch that is % is never made %', OLD.state, NEW.state USING ERRCODE = 'PURKE';
	END IF;
	${unlessSender}
	SELECT * INTO its FROM plan WHERE batch = NEW.number;
	SELECT * INTO said FROM approval WHERE digest = its.digest AND NOT approved LIMIT 1;
	IF FOUND THEN RAISE EXCEPTION 'Batch % was rejected by % (%)', NEW.number, said.approver, said.reason USING ERRCODE = 'PURRJ'; END IF;
	IF approval_needed(its.sums, its.sums) AND NOT is_approved(NEW.number) THEN
		RAISE EXCEPTION 'Batch % needs the approval of a second person, and has none (policy of the team: %)', NEW.number,
			(SELECT value FROM policy WHERE key = 'approval') USING ERRCODE = 'PURAB';
	END IF;
	RETURN NEW;
END $$;
CREATE TRIGGER batch_follows_rules BEFORE INSERT OR UPDATE OR DELETE ON batch FOR EACH ROW EXECUTE FUNCTION batch_rules();
CREATE FUNCTION approval_rules() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER ${path} AS $$
DECLARE
	its RECORD;
BEGIN
	${committed}
	IF NOT ${may("approver")} THEN
		RAISE EXCEPTION '% may not approve: the role ${schema}_approver is missing', session_user USING ERRCODE = 'PURRO';
	END IF;
	SELECT number, state, plan.planner INTO its FROM plan JOIN batch ON number = plan.batch WHERE digest = NEW.digest FOR SHARE OF batch;
	IF its.planner = session_user THEN
		RAISE EXCEPTION 'Batch % was planned by %, and so would be its approval: somebody else has to approve it', its.number, session_user
			USING ERRCODE = 'PUROW';
	ELSIF its.state IS DISTINCT FROM 'planned' THEN
		RAISE EXCEPTION 'No batch with this plan waits for an approval' USING ERRCODE = 'PURKE';
	END IF;
	NEW.approver := session_user;
	NEW.at := ${now};
	RETURN NEW;
END $$;
CREATE TRIGGER approval_follows_rules BEFORE INSERT ON approval FOR EACH ROW EXECUTE FUNCTION approval_rules();`;
}
