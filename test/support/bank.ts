/**
 * A service that keeps transactions and lists their documented fields: it can lose answers, answer oddly, delay and alter lines, and it has
 * lines of others. Its clock can be set, together with that of the programs that talk to it.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What becomes of a payment that arrived whole. */
export type Reply =
	| "answered"
	/** Made, and the connection is reset. */
	| "lost"
	/** Not made, and the connection is reset. */
	| "dropped"
	/** Not made, 400. */
	| "refused"
	/** Made, and answered 400 all the same. */
	| "refused but made"
	/** Made and answered 202 without an id. */
	| "waiting"
	/** Made and answered with the id of the latest earlier one. */
	| "another's id"
	/** Not made before `release` is called, and then answered. */
	| "held";

export interface Booked {
	id: string;
	/** The ledger debited. */
	from: string;
	ledgerId?: string;
	/** As it was sent; the list shows its name, and the ledger that hosts it. */
	beneficiaryId?: string;
	amount: string;
	currency: string;
	reference?: string;
	/** Milliseconds. */
	at: number;
	status: string;
	type: string;
	/** Made by somebody else. */
	foreign: boolean;
}

export type Listed = Record<string, unknown> & { information: Record<string, unknown>; sender: object; receiver: object };

export interface Payee {
	id: string;
	name: string;
	hostedLedgerId?: string;
}

export const company = "cccccccc-0001-4000-8000-000000000001";
export const ledgers = {
	main: "aaaaaaaa-0001-4000-8000-000000000001",
	savings: "aaaaaaaa-0002-4000-8000-000000000002",
	other: "aaaaaaaa-0003-4000-8000-000000000003",
} as const;

export interface Bank {
	url: string;
	/** Everything that was made, in order. */
	booked: Booked[];
	/** Payments that arrived whole, made or not. */
	arrived: number;
	payees: Payee[];
	/** Decides about each payment, by its reference and how many arrived before. */
	reply: (reference: string | undefined, arrived: number) => Reply;
	/** Changes how a line is listed; undefined: it is not. */
	lists: (line: Listed, one: Booked) => Listed | undefined;
	/** The status with which the list answers. */
	listStatus: number;
	/** Ledgers whose list it answers with 500. */
	unreadable: Set<string>;
	/** How many transactions it announces, in place of how many there are. */
	announces?: number;
	/** Seconds by which its clock is ahead of this machine's. */
	ahead: number;
	/** Seconds by which it is wrong besides: ahead of the programs' clock. */
	clockFault: number;
	/** Puts a transaction of somebody else into its list. */
	foreign(one: Partial<Booked> & Pick<Booked, "amount">): Booked;
	/** Lets the payments that are held go on. */
	release(): void;
	/** Resolves when so many payments have arrived. */
	until(arrived: number): Promise<void>;
	stop(): Promise<void>;
}

/** Starts on a free port of this machine. */
export async function startBank(): Promise<Bank> {
	const held: (() => void)[] = [];
	const waiting = new Set<{ count: number; go: () => void }>();
	let made = 0;
	const now = (): number => Date.now() + (bank.ahead + bank.clockFault) * 1_000;
	const nextId = (): string => `dddddddd-0000-4000-8000-${String(++made).padStart(12, "0")}`;
	const book = (one: Partial<Booked> & Pick<Booked, "amount">): Booked => {
		const whole: Booked = {
			id: nextId(),
			from: ledgers.main,
			currency: "EUR",
			at: now(),
			status: "APPROVED",
			type: "TRANSFER",
			foreign: false,
			...one,
		};
		bank.booked.push(whole);
		return whole;
	};
	const bank: Bank = {
		url: "",
		booked: [],
		arrived: 0,
		payees: [],
		reply: () => "answered",
		lists: (line) => line,
		listStatus: 200,
		unreadable: new Set(),
		ahead: 0,
		clockFault: 0,
		foreign: (one) => book({ ...one, foreign: true }),
		release: () => {
			for (const go of held.splice(0)) go();
		},
		until: (count) =>
			new Promise((resolve) => {
				if (bank.arrived >= count) resolve();
				else waiting.add({ count, go: resolve });
			}),
		stop: () => {
			server.closeAllConnections();
			return new Promise((resolve) => server.close(() => resolve()));
		},
	};
	const pay = async (request: IncomingMessage, response: ServerResponse): Promise<unknown> => {
		const sent = await readBody(request);
		const reply = bank.reply(sent.reference, bank.arrived);
		bank.arrived += 1;
		for (const one of waiting) if (bank.arrived >= one.count && waiting.delete(one)) one.go();
		if (reply === "held") await new Promise<void>((resolve) => held.push(resolve));
		if (reply === "dropped") return request.socket.resetAndDestroy();
		if (reply === "refused") return answer(response, 400, { message: "refused" });
		const earlier = bank.booked.at(-1)?.id;
		const { id } = book(sent);
		if (reply === "lost") request.socket.resetAndDestroy();
		else if (reply === "refused but made") answer(response, 400, { message: "refused" });
		else if (reply === "waiting") answer(response, 202, {});
		else answer(response, 201, { id: reply === "another's id" ? earlier : id });
	};
	const lineOf = (one: Booked): Listed | undefined => {
		const payee = bank.payees.find(({ id }) => id === one.beneficiaryId);
		const ledgerId = one.ledgerId ?? payee?.hostedLedgerId;
		const line = {
			id: one.id,
			type: one.type,
			status: one.status,
			creationDate: new Date(one.at).toISOString(),
			amount: Number(one.amount),
			currency: one.currency,
			information: one.reference === undefined ? {} : { reference: one.reference },
			sender: { ledgerId: one.from },
			receiver: { ...(payee && { name: payee.name }), ...(ledgerId && { ledgerId }) },
		};
		return bank.lists(line, one);
	};
	const look = (target: URL, response: ServerResponse): unknown => {
		const [, id] = /\/([\w-]{36})$/.exec(target.pathname) ?? [];
		const asked = target.searchParams;
		if (target.pathname.endsWith("/transactions")) {
			if (bank.unreadable.has(asked.get("ledgerId") ?? "")) return answer(response, 500, { message: "no" });
			if (bank.listStatus !== 200) return answer(response, bank.listStatus, { message: "no" });
			const from = Date.parse(asked.get("startDate") ?? "") || 0;
			const own = bank.booked.filter((one) => one.at >= from && [one.from, one.ledgerId].includes(asked.get("ledgerId") as string));
			own.sort((one, other) => one.at - other.at);
			const all = own.map(lineOf).filter((one) => one !== undefined);
			return page(response, asked.get("sortDirection") === "DESC" ? all.reverse() : all, asked, bank.announces);
		}
		if (target.pathname.includes("/transactions/")) {
			const one = bank.booked.find((each) => each.id === id);
			const line = one && lineOf(one);
			return line === undefined ? answer(response, 404, { message: "unknown" }) : answer(response, 200, line);
		}
		const payees = bank.payees.map(({ id, name, hostedLedgerId }) => ({
			...{ id, name, status: "VALID", active: true, endUserId: company, type: "EXTERNAL" },
			...(hostedLedgerId && { linkcyLedgerId: hostedLedgerId }),
		}));
		const known = Object.entries(ledgers).map(([name, id]) => ledgerRecord(id, name));
		const record = [...payees, ...known].find((one) => one.id === id);
		if (id !== undefined) return record === undefined ? answer(response, 404, { message: "unknown" }) : answer(response, 200, record);
		const all = target.pathname.endsWith("/beneficiaries") ? payees : target.pathname.endsWith("/ledgers") ? known : [];
		page(response, all, asked);
	};
	const answer = (response: ServerResponse, status: number, content: unknown): ServerResponse =>
		response.writeHead(status, { "content-type": "application/json", date: new Date(now()).toUTCString() }).end(JSON.stringify(content));
	const page = (response: ServerResponse, all: readonly object[], asked: URLSearchParams, announced = all.length): ServerResponse => {
		const [page, pageSize] = [Number(asked.get("page") ?? 0), Number(asked.get("pageSize") ?? 100)];
		return answer(response, 200, { content: all.slice(page * pageSize, (page + 1) * pageSize), totalElements: announced, page, pageSize });
	};
	const server = createServer((request, response) => {
		if (request.method === "POST") void pay(request, response);
		else look(new URL(request.url ?? "", "http://bank"), response);
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	bank.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	return bank;
}

function ledgerRecord(id: string, name: string) {
	return {
		id,
		friendlyName: `Ledger ${name}`,
		endUserId: company,
		status: "ACTIVE",
		currency: "EUR",
		totalAmount: 900_000,
		availableAmount: 900_000,
	};
}

/** What a payment's body says, the digits of the amount as they were sent. */
async function readBody(request: IncomingMessage) {
	let text = "";
	for await (const part of request) text += part;
	const { ledgerFromId, ledgerToId, beneficiaryId, reference } = JSON.parse(text);
	return { from: ledgerFromId, ledgerId: ledgerToId, beneficiaryId, reference, amount: /"amount":([^,}]*)/.exec(text)?.[1] as string };
}
