/**
 * The sandbox asked over its door `handle`, without a socket: requests as text in, answers as text out.
 */
import { createHash } from "node:crypto";
import { createSandbox, type Sandbox, type SandboxOptions } from "../../src/sandbox/sandbox.js";
import { ada } from "../support/companies.js";

export interface Said {
	status: number;
	headers: Record<string, string>;
	text: string;
	/** The text as JSON, numbers as doubles; undefined where it is none. */
	// biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape
	data: any;
	delivery: { delay?: number; drop?: true; cut?: number } | undefined;
}

export interface AskOptions {
	/** `null`: none is sent. Without it: the operator's. */
	token?: string | null;
	headers?: Record<string, string>;
}

export interface Service {
	sandbox: Sandbox;
	/** Milliseconds pass. */
	pass(milliseconds: number): void;
	/** One request; a body that is no text is written as JSON. */
	ask(method: string, target: string, body?: unknown, options?: AskOptions): Promise<Said>;
	/** One request in a line: `GET ledgers/ID` of the service; a target from `/` on is the sandbox's own, asked without a login. */
	call(line: string, body?: unknown, options?: AskOptions): Promise<Said>;
	/** What a GET answers. */
	// biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape
	get(target: string): Promise<any>;
	/** A control operation. */
	control(name: string, body?: unknown): Promise<Said>;
}

export const start = Date.parse("2026-03-01T10:00:00Z");
export const minute = 60_000;
export const hour = 60 * minute;

/** The world a sandbox starts with. */
export const ids = {
	corporate: "11111111-1111-4111-8111-111111111111",
	owner: "22222222-2222-4222-8222-222222222222",
	main: "aaaaaaaa-0001-4000-8000-000000000001",
	savings: "aaaaaaaa-0002-4000-8000-000000000002",
	dollars: "aaaaaaaa-0003-4000-8000-000000000003",
	supplier: "bbbbbbbb-0001-4000-8000-000000000001",
	slow: "bbbbbbbb-0002-4000-8000-000000000002",
	hosted: "bbbbbbbb-0003-4000-8000-000000000003",
	unreviewed: "bbbbbbbb-0004-4000-8000-000000000004",
	nobody: "99999999-9999-4999-8999-999999999999",
};

/** A sandbox on a clock and a randomness of its own, the operator logged in. */
export async function makeService(options: Partial<SandboxOptions> = {}): Promise<Service> {
	let now = start;
	let uuids = 0;
	let chances = 1;
	const sandbox = createSandbox({
		clock: { now: () => new Date(now) },
		random: {
			uuid: () => {
				const text = createHash("sha256").update(`sandbox test ${uuids++}`).digest("hex");
				return `${text.slice(0, 8)}-${text.slice(8, 12)}-4${text.slice(13, 16)}-8${text.slice(17, 20)}-${text.slice(20, 32)}`;
			},
			fraction: () => {
				chances = (chances * 48271) % 2147483647;
				return chances / 2147483647;
			},
		},
		origin: "http://sandbox.example.com",
		...options,
	});
	let operator: string | undefined;
	const ask: Service["ask"] = async (method, target, body, { token, headers = {} } = {}) => {
		const bytes = body instanceof Uint8Array ? body : new TextEncoder().encode(written(body));
		const bearer = token === undefined ? operator : token;
		const answer = await sandbox.handle({
			method,
			target,
			headers: {
				...(body === undefined ? {} : { "content-type": "application/json" }),
				...(bearer ? { authorization: `Bearer ${bearer}` } : {}),
				...headers,
			},
			body: bytes,
		});
		const text = new TextDecoder().decode(answer.body);
		return { status: answer.status, headers: answer.headers, text, data: read(text), delivery: answer.delivery };
	};
	const call: Service["call"] = (line, body, options) => {
		const [method = "", target = ""] = line.split(/ (.*)/s);
		return target.startsWith("/")
			? ask(method, target, body, { token: null, ...options })
			: ask(method, `/api/partner/${target}`, body, options);
	};
	operator = (await ask("POST", "/api/partner/login", operatorLogin, { token: null })).data?.token;
	return {
		sandbox,
		pass: (milliseconds) => {
			now += milliseconds;
		},
		ask,
		call,
		get: async (target) => (await call(`GET ${target}`)).data,
		control: (name, body = {}) => ask("POST", `/_sandbox/control/${name}`, body, { token: null }),
	};
}

export const operatorLogin = { username: "operator", partnerName: "example-partner", password: "sandbox-password" };

function written(body: unknown): string {
	if (body === undefined) return "";
	return typeof body === "string" ? body : JSON.stringify(body);
}

function read(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** The least a corporate is created with, and what a test wants different. */
export function corporateBody(different: Record<string, unknown> = {}): Record<string, unknown> {
	return {
		corporateName: "Example Bakery SAS",
		incorporationCountry: "FRA",
		incorporationCode: "000 000 001",
		industry: "FOOD_RESTAURANT_CATERING",
		registeredAddress: { isoCountryCode: "FRA", city: "Exampleville", postalCode: "00000" },
		expectedMonthlyExpenses: { value: "LESS_THAN_10_000", currency: "EUR" },
		accountOwnerInfo: ada,
		...different,
	};
}

/** A new corporate; its terms are accepted. */
export async function newCorporate(service: Service, different: Record<string, unknown> = {}): Promise<{ id: string; owner: string }> {
	const made = await service.call("POST corporates", corporateBody({ lastTermsAccepted: "1.0", ...different }));
	if (made.status !== 201) throw new Error(`no corporate: ${made.status} ${made.text}`);
	return { id: made.data.corporateId, owner: made.data.accountOwnerId };
}

/** Another person or company of a corporate. */
export async function newRelated(service: Service, corporate: string, body: Record<string, unknown>): Promise<string> {
	const made = await service.call(`POST corporates/${corporate}/related`, body);
	if (made.status !== 201) throw new Error(`no related entity: ${made.status} ${made.text}`);
	return made.data.id;
}

/** A link for a person's KYC. @returns the target of its page */
export async function kycPage(service: Service, relatedPhysicalPersonId: string, more: Record<string, unknown> = {}): Promise<string> {
	const link = await service.call("POST kyc", { relatedPhysicalPersonId, kycConfiguration: { accessType: "LINK", ...more } });
	if (link.status !== 200) throw new Error(`no KYC link: ${link.status} ${link.text}`);
	return new URL(link.data.url).pathname;
}

/** A person's KYC from link to outcome. */
export async function doKyc(service: Service, relatedId: string, outcome = "VALIDATED"): Promise<void> {
	await kycPage(service, relatedId);
	const decided = await service.control("kyc", { relatedId, outcome });
	if (decided.status !== 200) throw new Error(`no KYC decision: ${decided.status} ${decided.text}`);
}

/** An inter-ledger payment between two ledgers of the first corporate; the amount is the literal to send. */
export function payLedger(service: Service, amount: string, from = ids.main, to = ids.savings, rest = ""): Promise<Said> {
	return service.call("POST transactions/inter-ledger", `{"ledgerFromId":"${from}","ledgerToId":"${to}","amount":${amount}${rest}}`);
}

/** A payment to a beneficiary of the first corporate; the amount is the literal to send. */
export function payBeneficiary(service: Service, amount: string, beneficiaryId = ids.supplier, from = ids.main, rest = ""): Promise<Said> {
	const body = `{"ledgerFromId":"${from}","beneficiaryId":"${beneficiaryId}","amount":${amount}${rest}}`;
	return service.call("POST transactions/beneficiary", body);
}

/** A ledger's amounts, as the digits that stood in the answer. */
export async function balance(service: Service, ledgerId: string): Promise<{ total: string; available: string; reserved: string }> {
	const { text } = await service.call(`GET ledgers/${ledgerId}`);
	const literal = (name: string): string => new RegExp(`"${name}":([^,}]*)`).exec(text)?.[1] ?? `no ${name}`;
	return { total: literal("totalAmount"), available: literal("availableAmount"), reserved: literal("reservedAmount") };
}

/** Status of a transaction. */
export async function statusOf(service: Service, transactionId: string): Promise<string> {
	return (await service.get(`transactions/${transactionId}`)).status;
}
