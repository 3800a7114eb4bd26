import { type Booked, HARBOUR, of, openBooks, type Person, showPerson } from "./harbour-books.js";
import * as shape from "./harbour-shapes.js";
import { type Call, data, find, json, NOISE, page, Refusal, type Route, readBody, refuseFault, route } from "./harbour-wire.js";
import { type Fields, type Payment, type Reply, record, type Seen, type Service, serve, text } from "./strict.js";

const now = () => new Date().toISOString();
const soon = () => new Date(Date.now() + 3_600_000).toISOString();
function readPerson(person: Person): Person {
	if (person.email_status === "link_sent") person.email_status = "confirmed";
	if (person.identity === "link_issued") person.identity = "passed";
	return person;
}

export { HARBOUR };

/** Starts the service of `documents/harbour.yaml` with its books as new. */
export async function harbourServer(): Promise<Service> {
	const books = openBooks();
	const {
		businesses,
		people,
		entities,
		accounts,
		payees,
		booked,
		texted,
		fresh,
		status,
		showBusiness,
		changeBusiness,
		addPerson,
		addBusiness,
	} = books;
	const kept = new Map<string, { request: string; reply: Reply; at: number }>();
	let losing = false;
	const moved: Record<string, string> = { accepted: "on_its_way", on_its_way: "arrived" };
	const businessAt = (call: Call) => find(businesses, call.ids[0]!);
	const personAt = (call: Call) => find(people, call.ids[0]!);

	function challenge(person: Person, sentTo: string): Reply {
		const key = fresh("chal");
		if (sentTo === person.phone) texted.set(key, person.id);
		return data(201, { id: key, person_id: person.id, sent_to: `***${sentTo.slice(-4)}`, expires_at: soon() });
	}

	const routes: Route[] = [
		route("GET", "/agreements/current", () =>
			data(200, {
				version: HARBOUR.agreement,
				published_at: "2025-04-01T08:00:00Z",
				document_url: "https://docs.harbour.example/agreement.pdf",
				language: "en",
			}),
		),
		route("POST", "/businesses", ({ body }) => data(201, showBusiness(addBusiness(body))), { body: shape.businessCreate }),
		route(
			"GET",
			"/businesses",
			({ query }) => {
				const rows = [...businesses.values()].filter((row) => !query.check_status || status(row) === query.check_status);
				return page(
					rows.filter((row) => !query.your_reference || row.your_reference === query.your_reference),
					query,
					showBusiness,
				);
			},
			{ query: { ...shape.paged, check_status: shape.checkStatus, your_reference: text(100) } },
		),
		route("GET", "/businesses/{biz}", (call) => data(200, showBusiness(businessAt(call)))),
		route("PATCH", "/businesses/{biz}", (call) => data(200, showBusiness(changeBusiness(businessAt(call), call.body))), {
			body: shape.businessUpdate,
		}),
		route("GET", "/businesses/{biz}/review_pack", (call) => {
			const names = of(people, businessAt(call).id).map((person) =>
				`<li>${person.first_name} ${person.last_name}</li>`.replaceAll(/<(?!\/?li>)/g, "&lt;"),
			);
			return {
				status: 200,
				type: "text/html; charset=utf-8",
				body: `<!doctype html><title>Review</title><h1>Review pack</h1><ul>${names.join("")}</ul>`,
			};
		}),
		route("POST", "/businesses/{biz}/business_checks", (call) => {
			const business = businessAt(call);
			if (business.requested_at) throw new Refusal(409, "conflict", "check_already_requested", "The check was requested before.");
			business.requested_at = now();
			return data(202, showBusiness(business));
		}),
		route("GET", "/businesses/{biz}/people", (call) => page(of(people, businessAt(call).id), call.query, showPerson), {
			query: shape.paged,
		}),
		route(
			"POST",
			"/businesses/{biz}/people",
			(call) => data(201, showPerson(addPerson(businessAt(call).id, call.body, call.body.roles as string[]))),
			{
				body: shape.personCreate,
			},
		),
		route("GET", "/businesses/{biz}/entities", (call) => page(of(entities, businessAt(call).id), call.query), { query: shape.paged }),
		route(
			"POST",
			"/businesses/{biz}/entities",
			(call) => {
				const entity = { ...call.body, id: fresh("ent"), business_id: businessAt(call).id };
				entities.set(entity.id, entity);
				return data(201, entity);
			},
			{ body: shape.entityCreate },
		),
		route("GET", "/entities/{ent}", (call) => data(200, find(entities, call.ids[0]!))),
		route("PATCH", "/entities/{ent}", (call) => data(200, Object.assign(find(entities, call.ids[0]!), call.body)), {
			body: shape.entityUpdate,
		}),
		route("GET", "/people/{per}", (call) => data(200, showPerson(readPerson(personAt(call))))),
		route(
			"PATCH",
			"/people/{per}",
			(call) => {
				const person = personAt(call);
				if (call.body.email !== undefined && call.body.email !== person.email) person.email_status = "unconfirmed";
				if (call.body.phone !== undefined && call.body.phone !== person.phone) person.phone_status = "unconfirmed";
				return data(200, showPerson(Object.assign(person, call.body)));
			},
			{ body: shape.personUpdate },
		),
		route("POST", "/people/{per}/email_challenges", (call) => {
			const person = personAt(call);
			if (person.email_status === "confirmed") throw new Refusal(409, "conflict", "already_confirmed", "The address is confirmed.");
			person.email_status = "link_sent";
			return challenge(person, person.email as string);
		}),
		route("POST", "/people/{per}/phone_challenges", (call) => {
			const person = personAt(call);
			if (!person.phone) throw new Refusal(422, "refused", "phone_missing", "The person has no phone.", "phone");
			return challenge(person, person.phone);
		}),
		route(
			"POST",
			"/people/{per}/phone_challenges/{chal}/confirm",
			(call) => {
				const person = personAt(call);
				if (find(texted, call.ids[1]!) !== person.id) throw new Refusal(404, "not_found", "not_found", "There is no such record.");
				if (call.body.code !== "123456") throw new Refusal(422, "refused", "code_wrong", "code is not the one we sent.", "code");
				texted.delete(call.ids[1]!);
				person.phone_status = "confirmed";
				return data(200, showPerson(person));
			},
			{ body: shape.codeAnswer },
		),
		route(
			"POST",
			"/people/{per}/identity_sessions",
			(call) => {
				const person = personAt(call);
				if (person.identity === "passed") throw new Refusal(409, "conflict", "already_passed", "The identity is known.");
				person.identity = "link_issued";
				return data(201, {
					person_id: person.id,
					url: `https://id.harbour.example/${person.id}`,
					level: call.body.level,
					expires_at: soon(),
				});
			},
			{ body: shape.identitySession },
		),
		route("GET", "/accounts", ({ query }) => page(of(accounts, query.business_id), query), {
			query: { ...shape.paged, business_id: shape.id("biz") },
		}),
		route("GET", "/accounts/{acct}", (call) => data(200, find(accounts, call.ids[0]!))),
		route("GET", "/payees", ({ query }) => page(of(payees, query.business_id), query), {
			query: { ...shape.paged, business_id: shape.id("biz") },
		}),
		route("GET", "/payees/{payee}", (call) => data(200, find(payees, call.ids[0]!))),
		route(
			"POST",
			"/book_transfers",
			({ body }) =>
				data(
					201,
					books.book("book_transfer", body.source_account_id as string, body, {
						destination_account_id: body.destination_account_id as string,
					}),
				),
			{ body: shape.bookTransfer, pays: true },
		),
		route(
			"POST",
			"/payouts",
			({ body }) => data(201, books.book("payout", body.account_id as string, body, { payee_id: body.payee_id as string })),
			{
				body: shape.payout,
				pays: true,
			},
		),
		route(
			"GET",
			"/payments",
			({ query }) => {
				const touches = (row: Booked) =>
					[row.source_account_id, row.destination_account_id].includes(query.account_id ?? row.source_account_id);
				const since = query.created_from === undefined ? 0 : Date.parse(query.created_from);
				const rows = [...booked.values()].filter(
					(row) => touches(row) && (!query.status || row.status === query.status) && Date.parse(row.created_at) >= since,
				);
				return page(rows, query);
			},
			{ query: shape.paymentFilters },
		),
		route("GET", "/payments/{pay}", (call) => {
			const payment = find(booked, call.ids[0]!);
			payment.status = moved[payment.status] ?? payment.status;
			return data(200, payment);
		}),
	];

	function readRequest(asked: Seen): { found: Route; call: Call; key: string | undefined } {
		const url = new URL(asked.path, "http://harbour.example");
		const path = url.pathname.startsWith("/v1/") ? url.pathname.slice(3) : "";
		if (asked.headers.authorization !== `Bearer ${HARBOUR.token}`)
			throw new Refusal(401, "authentication", "key_unknown", "The secret key is missing or unknown.");
		const found = routes.find((row) => row.method === asked.method && row.path.test(path));
		if (!found && NOISE.test(path)) throw new Refusal(403, "permission", "product_disabled", "Your key has no access to this product.");
		if (!found) throw new Refusal(404, "not_found", "not_found", "There is no such path or record.");
		const query = Object.fromEntries(url.searchParams);
		refuseFault(record(found.query ?? {})(query, []));
		const key = asked.method === "POST" ? asked.headers["idempotency-key"] : undefined;
		const header = { [found.pays ? "Idempotency-Key!" : "Idempotency-Key"]: text(64, undefined, 8) };
		refuseFault(record(header)(key === undefined ? {} : { "Idempotency-Key": key }, []));
		return { found, key: key as string | undefined, call: { ids: found.path.exec(path)!.slice(1), query, body: {} } };
	}
	function answer(asked: Seen): Reply | "cut" {
		const { found, call, key } = readRequest(asked);
		if (asked.method === "GET") return found.run(call);
		const request = `${asked.method} ${asked.path} ${asked.body}`;
		const old = key === undefined ? undefined : kept.get(key);
		if (old && old.at > Date.now() - 86_400_000) {
			if (old.request === request) return old.reply;
			throw new Refusal(409, "conflict", "idempotency_key_reused", "This key came with another request.", "Idempotency-Key");
		}
		const body = readBody(asked);
		refuseFault((found.body ?? record({}))(body, []));
		const reply = found.run({ ...call, body: body as Fields });
		if (key !== undefined) kept.set(key, { request, reply, at: Date.now() });
		if (!found.pays || !losing) return reply;
		losing = false;
		return "cut";
	}

	const running = await serve((asked) => {
		try {
			return answer(asked);
		} catch (error) {
			if (!(error instanceof Refusal)) throw error;
			const { type, code, message, field } = error;
			return json(error.status, { error: { type, code, message, field, request_id: fresh("req") } });
		}
	});
	return {
		...running,
		url: `${running.url}/v1`,
		loseNextPayment: () => {
			losing = true;
		},
		payments: (): Payment[] =>
			[...booked.values()].map((row) => ({
				id: row.id,
				kind: row.kind === "payout" ? "external" : "internal",
				debited: row.source_account_id,
				credited: row.destination_account_id ?? row.payee_id ?? "",
				cents: row.amount,
				currency: row.currency,
				reference: row.statement_text,
				status: row.status,
			})),
	};
}
