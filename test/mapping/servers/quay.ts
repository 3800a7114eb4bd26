import { type Order, openBooks, QUAY, showOrder, showParty, showWallet } from "./quay-books.js";
import * as shape from "./quay-shapes.js";
import { done, HTTP, json, NOISE, Refusal, readForm, refuseFault, rows, seconds } from "./quay-wire.js";
import { type Fields, oneOf, type Payment, type Reply, type Rule, record, type Seen, type Service, serve, text } from "./strict.js";

export { QUAY };

interface Call {
	rule: Rule;
	pays?: boolean;
	run(given: Record<string, string>, whole: Fields): Reply;
}

/** The day of a stamp or of a filter, in an order that compares. */
const dayOf = (written: string) => written.split("/").reverse().join("-").slice(0, 10);

/** Starts the service of `documents/quay.yaml` with its books as new. It pays no heed to `dedupe_key`. */
export async function quayServer(): Promise<Service> {
	const { companies, parties, wallets, creditors, orders, find, of, showCompany, checkTerms, addParty, addCompany, place, edit } =
		openBooks();
	let losing = false;
	const companyFilter = record({ ...shape.paged, company_id: shape.id });
	const calls: Record<string, Call> = {
		"GET terms.latest": {
			rule: record({ lang: oneOf("en", "de", "fr") }),
			run: () => done({ terms_version: QUAY.terms, valid_since: "01/03/2025", text: "Be fair to each other." }),
		},
		"POST terms.accept": {
			rule: shape.termsAccept,
			run: (given) => {
				checkTerms(given.terms_version);
				return done(showCompany(Object.assign(find(companies, given, "company_id"), { terms_version: given.terms_version })));
			},
		},
		"POST company.create": {
			rule: shape.companyCreate,
			run: (_, whole) => {
				const { company_id, manager_party_id } = addCompany(whole);
				return done({ company_id, manager_party_id });
			},
		},
		"POST company.edit": {
			rule: shape.companyEdit,
			run: (given, whole) => done(showCompany(edit(find(companies, given, "company_id"), whole))),
		},
		"GET company.get": { rule: shape.companyRef, run: (given) => done(showCompany(find(companies, given, "company_id"))) },
		"GET company.list": {
			rule: record({ ...shape.paged, kyb_state: shape.kybState, own_ref: text(64) }),
			run: (given) => {
				const shown = [...companies.values()].map(showCompany);
				const wanted = (row: Fields, name: string) => given[name] === undefined || row[name] === given[name];
				return rows(
					shown.filter((row) => wanted(row, "kyb_state") && wanted(row, "own_ref")),
					given,
				);
			},
		},
		"GET company.dossier": {
			rule: shape.companyRef,
			run: (given) => {
				const company = find(companies, given, "company_id");
				const names = of(parties, company.company_id).map(
					(party) => `${party.legal_name ?? `${party.given_name} ${party.surname}`}: ${party.kyc_state}`,
				);
				const plain = [company.name, ...names].join("\n").replaceAll("&", "&amp;").replaceAll("<", "&lt;");
				return { status: 200, type: "text/html; charset=utf-8", body: `<!doctype html><title>Dossier</title><pre>${plain}</pre>` };
			},
		},
		"POST company.submit": {
			rule: shape.companyRef,
			run: (given) => {
				const company = find(companies, given, "company_id");
				if (company.kyb_state !== "DRAFT") throw new Refusal(1409, "The file was submitted before.", "company_id");
				company.kyb_state = "SUBMITTED";
				return done({ ...company, terms_ok: company.terms_version === QUAY.terms ? 1 : 0 });
			},
		},
		"POST party.add": {
			rule: shape.partyAdd,
			run: (given, whole) => {
				refuseFault((given.kind === "LEGAL" ? shape.legalAdd : shape.naturalAdd)(whole, []));
				return done(showParty(addParty(find(companies, given, "company_id").company_id, whole)));
			},
		},
		"POST party.edit": {
			rule: shape.partyEdit,
			run: (given, whole) => {
				const party = find(parties, given, "party_id");
				if (given.email !== undefined && given.email !== party.email) Object.assign(party, { email_checked: 0, email_sent: false });
				const { dial_code = party.dial_code, phone_no = party.phone_no } = given;
				if (dial_code !== party.dial_code || phone_no !== party.phone_no) Object.assign(party, { phone_checked: 0, texted: false });
				return done(showParty(edit(party, whole)));
			},
		},
		"GET party.get": {
			rule: record({ "party_id!": shape.id }),
			run: (given) => {
				const party = find(parties, given, "party_id");
				if (party.email_sent) Object.assign(party, { email_checked: 1, email_sent: false });
				if (party.kyc_state === "OPEN") party.kyc_state = "OK";
				return done(showParty(party));
			},
		},
		"GET party.list": {
			rule: record({ ...shape.paged, "company_id!": shape.id }),
			run: (given) => rows(of(parties, find(companies, given, "company_id").company_id), given, showParty),
		},
		"POST contact.challenge": {
			rule: shape.challenge,
			run: (given) => {
				const party = find(parties, given, "party_id");
				const mail = given.channel === "EMAIL";
				if (mail ? !party.email : !party.phone_no || !party.dial_code) throw new Refusal(1409, "There is nothing to send to.", "channel");
				if (mail ? party.email_checked : party.phone_checked) throw new Refusal(1409, "This was checked before.", "channel");
				Object.assign(party, mail ? { email_sent: true } : { texted: true });
				return done({ party_id: party.party_id, channel: given.channel, valid_until: seconds() + 3600 });
			},
		},
		"POST contact.confirm": {
			rule: shape.confirm,
			run: (given) => {
				const party = find(parties, given, "party_id");
				if (!party.texted) throw new Refusal(1409, "No digits were sent.", "party_id");
				if (given.digits !== "123456") throw new Refusal(1501, "These are not the digits we sent.", "digits");
				return done(showParty(Object.assign(party, { phone_checked: 1 as const, texted: false })));
			},
		},
		"POST kyc.link": {
			rule: shape.kycLink,
			run: (given) => {
				const party = find(parties, given, "party_id");
				if (party.kind !== "NATURAL" || party.kyc_state === "OK") throw new Refusal(1409, "Nobody is left to be identified.", "party_id");
				party.kyc_state = "OPEN";
				return done({ party_id: party.party_id, link: `https://kyc.quay.example/${party.party_id}`, valid_until: seconds() + 3600 });
			},
		},
		"GET wallet.list": { rule: companyFilter, run: (given) => rows(of(wallets, given.company_id), given, showWallet) },
		"GET wallet.get": { rule: record({ "wallet_id!": shape.id }), run: (given) => done(showWallet(find(wallets, given, "wallet_id"))) },
		"GET creditor.list": { rule: companyFilter, run: (given) => rows(of(creditors, given.company_id), given) },
		"GET creditor.get": { rule: record({ "creditor_id!": shape.id }), run: (given) => done(find(creditors, given, "creditor_id")) },
		"POST wallet.move": {
			rule: shape.walletMove,
			pays: true,
			run: (given) => done(place("MOVE", given, "debtor_wallet_id", "creditor_wallet_id")),
		},
		"POST payment.send": {
			rule: shape.paymentSend,
			pays: true,
			run: (given) => done(place("SEND", given, "ordering_wallet_id", "creditor_id")),
		},
		"GET payment.get": {
			rule: record({ "order_no!": shape.orderNo }),
			run: (given) => {
				const order = orders.get(given.order_no!);
				if (!order) throw new Refusal(1404, "There is no such order.", "order_no");
				order.state = ({ N: "W", W: "D" } as Record<string, string>)[order.state] ?? order.state;
				return done(showOrder(order));
			},
		},
		"GET payment.list": {
			rule: record({ ...shape.paged, wallet_id: shape.id, state: shape.orderState, from_day: shape.date, to_day: shape.date }),
			run: (given) => {
				const touches = (row: Order) =>
					given.wallet_id === undefined || [row.dr_wallet_id, row.cr_wallet_id].includes(Number(given.wallet_id));
				const from = dayOf(given.from_day ?? "01/01/0001");
				const to = dayOf(given.to_day ?? "31/12/9999");
				const all = [...orders.values()].filter((row) => touches(row) && (!given.state || row.state === given.state));
				return rows(
					all.filter((row) => dayOf(row.placed_at) >= from && dayOf(row.placed_at) <= to),
					given,
					showOrder,
				);
			},
		},
	};

	function answer({ method, path, headers, body }: Seen): Reply | "cut" {
		const url = new URL(path, "http://quay.example");
		const name = url.pathname.replace(/^\/gate\/2\//, "");
		if (headers["x-quay-key"] !== QUAY.key) throw new Refusal(1101, "The key is missing or unknown.", "X-Quay-Key");
		const call = calls[`${method} ${name}`];
		if (!call && NOISE.test(name)) throw new Refusal(1701, "This is not in your plan.");
		if (!call) throw new Refusal(1404, "There is no such call.");
		const form = method === "POST";
		if (form && !headers["content-type"]?.startsWith("application/x-www-form-urlencoded"))
			throw new Refusal(1002, "Send a form.", "Content-Type");
		if (form && url.search !== "") throw new Refusal(1003, "Send everything in the form.", [...url.searchParams.keys()][0] ?? null);
		const whole = readForm(form ? new URLSearchParams(body) : url.searchParams);
		refuseFault(call.rule(whole, []));
		const reply = call.run(whole as Record<string, string>, whole);
		if (!call.pays || !losing) return reply;
		losing = false;
		return "cut";
	}

	const running = await serve((asked) => {
		try {
			return answer(asked);
		} catch (error) {
			if (!(error instanceof Refusal)) throw error;
			const { number, message, parameter } = error;
			return json(HTTP[number] ?? 400, { ok: false, fault: { number, text: message, parameter } });
		}
	});
	const loseNextPayment = () => {
		losing = true;
	};
	const payments = (): Payment[] =>
		[...orders.values()].map((row) => ({
			id: row.order_no,
			kind: row.type === "SEND" ? "external" : "internal",
			debited: String(row.dr_wallet_id),
			credited: String(row.cr_wallet_id ?? row.cr_creditor_id),
			cents: row.cents,
			currency: row.ccy,
			reference: row.remittance,
			status: row.state,
		}));
	return { ...running, url: `${running.url}/gate/2`, loseNextPayment, payments };
}
