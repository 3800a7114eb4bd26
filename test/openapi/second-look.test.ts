import { describe, expect, it } from "vitest";
import { catalog } from "../../src/api/operations/catalog.js";
import { readOpenApi } from "../../src/openapi/document.js";
import { matchDocument } from "../../src/openapi/match.js";
import { documentOf, type Line } from "./documents.js";

const company = { legalName: "string", registrationNumber: "string", jurisdiction: "string", tradingName: "string", website: "string" };
const person = { firstName: "string", lastName: "string", email: "string", isDirector: "boolean", nationality: "string" };
const kept = { clientId: "string", ...company };

/** A service whose companies are clients, and whose people are found below them. */
const base: readonly Line[] = [
	{ at: "POST /clients", id: "createClient", body: company, answer: kept, status: 201 },
	{ at: "GET /clients/{clientId}", id: "getClient", answer: kept },
	{ at: "PATCH /clients/{clientId}", id: "updateClient", body: company, answer: kept },
	{ at: "GET /clients/{clientId}/directors", id: "listDirectors", answer: { data: [{ id: "string", ...person }] } },
	{ at: "POST /clients/{clientId}/directors", id: "createDirector", body: person, answer: { id: "string" }, status: 201 },
	{ at: "GET /directors/{directorId}", id: "getDirector", answer: { id: "string", ...person } },
	{ at: "PATCH /directors/{directorId}", id: "updateDirector", body: person, answer: { id: "string", ...person } },
];

function found(lines: readonly Line[]) {
	const document = readOpenApi(documentOf("A bank", lines), "0".repeat(64));
	const { operations } = matchDocument(document, catalog, { baseUrl: "https://api.example.com" });
	return (id: string) => {
		const one = operations.find(({ operation }) => operation.id === id);
		const best = one?.candidates[0];
		return best === undefined ? "none" : `${one?.state} ${best.fit.theirs.method} ${best.fit.theirs.path}`;
	};
}

describe("what its names do not say", () => {
	it("a company's check that only a description calls KYB is asked, and never sure", () => {
		const description = "Starts the KYB of the client.";
		const start: Line = { at: "POST /clients/{clientId}/examination", id: "startExamination", description };
		expect(found([...base, start])("kyb.request")).toBe("ask POST /clients/{clientId}/examination");
		expect(found([...base, { ...start, description: "Starts the yearly survey of the client." }])("kyb.request")).toBe("none");
	});

	it("what is asked of a company by a verb alone is known by its description", () => {
		const submit: Line = { at: "POST /clients/{clientId}:submit", id: "SubmitClient", description: "Submits it for verification (KYB)." };
		expect(found([...base, submit])("kyb.request")).toBe("ask POST /clients/{clientId}:submit");
	});

	it("it is asked of what it is about: the KYB of a client's account is none", () => {
		const other: Line = { at: "POST /clients/{clientId}/cards/{cardId}/start", id: "startCard", description: "Needs the KYB." };
		expect(found([...base, other])("kyb.request")).toBe("none");
	});

	it("a page about a company is the diligence review where it says so, and nothing where it does not", () => {
		const page = (path: string, summary: string): Line => ({ at: `GET /clients/{clientId}/${path}`, id: path, summary, html: true });
		expect(found([...base, page("sheet", "KYB sheet of a client")])("corporate.diligenceReview")).toBe("ask GET /clients/{clientId}/sheet");
		expect(found([...base, page("contract", "The signed contract")])("corporate.diligenceReview")).toBe("none");
	});

	it("a company under another word is the record from which its people are listed", () => {
		const renamed = base.map((line) => ({
			...line,
			at: line.at.replace("/clients", "/entities"),
			id: line.id?.replace("Client", "Entity"),
		}));
		const operation = found(renamed);
		expect(operation("corporate.get")).toBe("ask GET /entities/{clientId}");
		expect(operation("corporate.update")).toBe("ask PATCH /entities/{clientId}");
	});
});

describe("whose record a path names", () => {
	const kyb: Line = { at: "POST /clients/{clientId}/kyb", id: "requestKyb", answer: { status: "string" } };
	const mail = (owner: string): Line => ({ at: `POST /${owner}/email-verification`, id: "sendVerificationEmail", status: 202 });

	it("an email to somebody of another collection than the company's people is asked, and to one of them sure", () => {
		const of = (owner: string): string => found([...base, kyb, mail(owner)])("email.sendLink");
		expect(of("directors/{directorId}")).toBe("sure POST /directors/{directorId}/email-verification");
		expect(of("clients/{clientId}/directors/{directorId}")).not.toContain("none");
		expect(of("users/{userRef}")).toBe("ask POST /users/{userRef}/email-verification");
	});

	it("the underwriting of a company is its KYB", () => {
		const underwriting: Line = { at: "POST /clients/{clientId}/underwriting", id: "startUnderwriting", answer: { status: "string" } };
		expect(found([...base, underwriting])("kyb.request")).toMatch(/ POST \/clients\/\{clientId\}\/underwriting$/);
	});
});

describe("a code", () => {
	const below = "/directors/{directorId}";
	const check = (code: string): Line => ({ at: `POST ${below}/phone-check/answer`, id: "answerPhone", body: { [`${code}!`]: "string" } });

	it("what takes a code checks it, and what takes none sends it, whatever both are called", () => {
		const operation = found([...base, { at: `POST ${below}/phone-check`, id: "verifyPhone" }, check("passcode")]);
		expect(operation("phone.sendCode")).toMatch(`POST ${below}/phone-check`);
		expect(operation("phone.verifyCode")).toMatch(`POST ${below}/phone-check/answer`);
	});

	it("an email that is verified without a code is sent a link", () => {
		const mail: Line = { at: `POST ${below}:verifyEmail`, id: "VerifyEmail", body: { locale: "string" } };
		expect(found([...base, mail])("email.sendLink")).toMatch(`POST ${below}:verifyEmail`);
		expect(found([...base, { ...mail, body: { "code!": "string" } }])("email.sendLink")).toBe("none");
	});

	it("one operation for both messages is told apart by its channel", () => {
		const description = "With email a link is mailed, with sms a one-time code is texted to the phone.";
		const body = { "channel!": "email|sms" };
		const lines: Line[] = [...base, { at: `POST ${below}/verifications`, id: "createVerification", description, body }];
		const { operations } = matchDocument(readOpenApi(documentOf("A bank", lines), "0".repeat(64)), catalog, {
			baseUrl: "https://api.example.com",
		});
		const constants = (id: string) => operations.find(({ operation }) => operation.id === id)?.candidates[0]?.proposal.binding.constants;
		expect(constants("email.sendLink")).toEqual([{ place: "body", at: "/channel", value: "email" }]);
		expect(constants("phone.sendCode")).toEqual([{ place: "body", at: "/channel", value: "sms" }]);
	});
});
