import { describe, expect, it } from "vitest";
import { readOpenApi } from "../../src/openapi/document.js";
import { voiceOf } from "../../src/openapi/voice.js";
import { documentOf } from "./documents.js";

type Described = Parameters<typeof documentOf>[1];
const voice = (operations: Described) => voiceOf(readOpenApi(documentOf("A bank", operations), "0".repeat(64)).operations);
const thingsOf = (operations: Described) =>
	[...voice(operations).own.values()].flat().map(({ words, thing }) => `${words.join(" ")}: ${thing}`);

const person = { name: "string", nationality: "string", isDirector: "boolean", ultimateBeneficialOwner: "boolean", jobTitle: "string" };

it("what stands in brackets says what the word before it is; what is no thing of ours says nothing", () => {
	const order = (summary: string): Described => [{ at: "POST /firms/{id}/legitimation", id: "orderLegitimation", summary }];
	expect(thingsOf(order("Order the legitimation (KYB)"))).toEqual(["legitimation: kyb"]);
	expect(thingsOf(order("Order the legitimation (on paper)"))).toEqual([]);
});

it("people who direct and own are persons, whatever they are called; a document with a name is none", () => {
	const read = (answer: Record<string, string>): Described => [{ at: "GET /attachments/{id}", id: "readAttachment", answer }];
	expect(thingsOf(read(person))).toEqual(["attachment: person"]);
	expect(thingsOf(read({ name: "string", nationality: "string" }))).toEqual([]);
});

it("summaries speak where the names are in another language, and only there", () => {
	const all = (names: readonly string[]): Described =>
		names.map((name) => ({ at: `GET /${name}/{id}`, id: `leer_${name}`, summary: "Get a company" }));
	expect(voice(all(["empresas", "sociedades", "negocios", "firmas", "casas"])).isBySummary).toBe(true);
	expect(voice(all(["companies", "businesses", "corporates", "firms", "casas"])).isBySummary).toBe(false);
});

describe("records of money", () => {
	const pot = { potId: "string", iban: "string", balance: "string", available: "string" };
	const read = (at: string, answer: Record<string, string>): Described => [{ at: `GET /${at}/{id}`, id: "read", answer }];
	const flow = { amount: "string", currency: "string", state: "string", fromPot: "string", toPot: "string" };

	it("what holds a balance is an account, a name with an IBAN a payee, an amount with both sides a payment", () => {
		expect(thingsOf(read("pots", pot))).toEqual(["pot: ledger"]);
		expect(thingsOf(read("contacts", { fullName: "string", iban: "string" }))).toEqual(["contact: payee"]);
		expect(thingsOf(read("flows", flow))).toEqual(["flow: payment"]);
	});

	it("where the document has a name for it, or says that it is something else, another word means nothing", () => {
		expect(thingsOf([...read("pots", pot), ...read("accounts", pot)])).toEqual([]);
		expect(thingsOf(read("mandates", { fullName: "string", iban: "string" }))).toEqual([]);
		expect(thingsOf(read("flows", { amount: "string", currency: "string", state: "string", fromPot: "string" }))).toEqual([]);
	});
});

it("a word that many names share says nothing, unless it names a thing", () => {
	const names = ["Open", "Close", "Read", "Freeze", "Cap", "Name", "Move", "Split"];
	const all: Described = names.map((name) => ({ at: `POST /cmd/${name}-account`, id: `Cmd${name}Account` }));
	expect([...voice(all).common]).toEqual(["cmd"]);
	expect([...voice(all.slice(1)).common]).toEqual([]);
});
