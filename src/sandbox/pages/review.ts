/**
 * The due-diligence review: a page, a PDF or an address, whatever the sandbox was told to answer.
 */
import { isRecord } from "../../api/schema.js";
import { type Desk, termsAccepted } from "../desk.js";
import { having } from "../lookup.js";
import { type Answer, html, json } from "../message.js";
import { missingForKyb } from "../service/kyb.js";
import { typeOfKyc } from "../service/kyc.js";
import { isUbo } from "../service/ownership.js";
import type { Corporate, Related } from "../state.js";
import { escaped, facts, pageOf } from "./pages.js";

/** The review of a corporate. */
export function reviewAnswer(desk: Desk, corporate: Corporate): Answer {
	switch (desk.options.review) {
		case "html":
			return html(200, reviewPage(desk, corporate));
		case "pdf":
			return {
				status: 200,
				headers: { "content-type": "application/pdf" },
				body: new TextEncoder().encode(pdf(`Due diligence review ${corporate.id}`)),
			};
		case "json":
			return json(200, { url: `${desk.options.origin}/_sandbox/review/${corporate.id}`, ttl: "PT1H" });
	}
}

/** The review as a page: the company, who owns and directs it, and what its verification still waits for. */
export function reviewPage(desk: Desk, corporate: Corporate): string {
	const related = having(desk.state.related, "corporateId", corporate.id);
	const rows = related.map((one) => `<tr>${columns(desk, one).map(cell).join("")}</tr>`).join("");
	const head = ["Name", "Role", "Shares", "KYC"].map((label) => `<th>${label}</th>`).join("");
	const missing = corporate.kyb.status === "VALIDATED" ? [] : missingForKyb(desk, corporate);
	const waits = missing.map((one) => `<li>${escaped(namesFor(one, related))}</li>`).join("");
	return pageOf(
		"Due diligence review",
		`<h1>${escaped(text(corporate.fields.corporateName) ?? "")}</h1>
<p class="quiet">Due diligence review of ${escaped(desk.now().toISOString().slice(0, 10))}</p>
<h2>Company</h2>
${facts(company(desk, corporate))}
<h2>Related entities</h2>
<table><tr>${head}</tr>${rows}</table>${waits === "" ? "" : `\n<h2>Needed before the KYB can be validated</h2>\n<ul>${waits}</ul>`}`,
	);
}

const cell = (value: string): string => `<td>${escaped(value)}</td>`;

function company(desk: Desk, corporate: Corporate): (readonly [string, string | undefined])[] {
	const { fields, kyb } = corporate;
	const expenses = isRecord(fields.expectedMonthlyExpenses) ? Object.values(fields.expectedMonthlyExpenses) : [];
	return [
		["Identifier", corporate.id],
		["Your identifier", text(fields.externalId)],
		["Trade name", text(fields.tradeName)],
		["Country", text(fields.incorporationCountry)],
		["Incorporation code", text(fields.incorporationCode)],
		["Incorporated on", text(fields.incorporationDate)],
		["Legal type", text(fields.legalType)],
		["Industry", text(fields.industry)],
		["Registered address", text(fields.registeredAddress)],
		["Business address", text(fields.businessAddress)],
		["Website", text(fields.website)],
		["Employees", text(fields.employeesRange)],
		["Expected monthly expenses", expenses.length === 0 ? undefined : expenses.map(String).join(" ")],
		["Terms accepted", termsAccepted(desk, corporate) ? "yes" : "no"],
		["KYB", kyb.reason === undefined ? kyb.status : `${kyb.status}: ${kyb.reason}`],
	];
}

const nameOf = ({ company, fields }: Related): string =>
	company ? String(fields.corporateName) : `${String(fields.firstName)} ${String(fields.lastName)}`;

function columns(desk: Desk, one: Related): string[] {
	const director = one.fields.isDirector === true;
	const roles = [one.accountOwner && "account owner", director && "director", isUbo(one) && "UBO", one.company && "company"];
	const share = text(one.fields.directSharesPercentage);
	const [owned] = typeof one.fields.ownedCorporateId === "string" ? having(desk.state.related, "id", one.fields.ownedCorporateId) : [];
	const type = typeOfKyc(desk, one);
	return [
		nameOf(one),
		roles.filter(Boolean).join(", ") || "—",
		share === undefined ? "—" : `${share} %${owned ? ` of ${nameOf(owned)}` : ""}`,
		one.company ? type : `${one.kyc.status} (${type})`,
	];
}

/** What is missing is told with ids; people read names. */
function namesFor(missing: string, related: readonly Related[]): string {
	return related.reduce((said, one) => said.replace(one.id, nameOf(one)), missing);
}

/** Text, or the values of a record beside each other; undefined where there is nothing to say. */
function text(value: unknown): string | undefined {
	if (value === undefined || value === null || value === "") return undefined;
	return isRecord(value) ? Object.values(value).map(String).join(", ") : String(value);
}

/** The smallest document a PDF reader opens, with one line of text. */
function pdf(line: string): string {
	const content = `BT /F1 14 Tf 50 780 Td (${line}) Tj ET`;
	const objects = [
		"<< /Type /Catalog /Pages 2 0 R >>",
		"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
		"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
		`<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
		"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
	];
	let file = "%PDF-1.4\n";
	const offsets = objects.map((object, at) => {
		const offset = file.length;
		file += `${at + 1} 0 obj\n${object}\nendobj\n`;
		return offset;
	});
	const start = file.length;
	return `${file}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("")}trailer << /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
}
