/**
 * The due-diligence review of a company, as a page.
 */
import { isRecord } from "../../api/schema.js";
import { type Backend, recordsWith, termsAccepted } from "../backend.js";
import type { Response } from "../message.js";
import { holdingsOf, isUbo } from "../service/ownership.js";
import { missingForKyb, typeOfKyc } from "../service/verification.js";
import type { Corporate, Related } from "../state.js";
import { escaped, factTable, htmlPage, htmlResponse } from "./html.js";

/** The company, who owns and directs it, and what its verification still waits for. */
export function reviewPage(backend: Backend, corporate: Corporate): Response {
	const related = recordsWith(backend.state.related, "corporateId", corporate.id);
	const rows = related.map((one) => `<tr>${columns(backend, one).map(cell).join("")}</tr>`).join("");
	const head = ["Name", "Role", "Shares", "KYC"].map((label) => `<th scope="col">${label}</th>`).join("");
	const missing = corporate.kyb.status === "VALIDATED" ? [] : missingForKyb(backend, corporate);
	const waits = missing.map((one) => `<li>${escaped(namesFor(one, related))}</li>`).join("");
	const page = htmlPage(
		"Due diligence review",
		`<h1>${escaped(text(corporate.fields.corporateName) ?? "")}</h1>
<p class="quiet">Due diligence review of ${escaped(backend.now().toISOString().slice(0, 10))}</p>
<h2>Company</h2>
${factTable(company(backend, corporate))}
<h2>Related entities</h2>
<div class="scroll" role="region" aria-label="Related entities" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>${rows}</tbody></table></div>${waits === "" ? "" : `\n<h2>Needed before the KYB can be validated</h2>\n<ul>${waits}</ul>`}`,
	);
	return htmlResponse(200, page);
}

const cell = (value: string): string => `<td>${escaped(value)}</td>`;

function company(backend: Backend, corporate: Corporate): (readonly [string, string | undefined])[] {
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
		["Terms accepted", termsAccepted(backend, corporate) ? "yes" : "no"],
		["KYB", kyb.reason === undefined ? kyb.status : `${kyb.status}: ${kyb.reason}`],
	];
}

const nameOf = ({ company, fields }: Related): string =>
	company ? String(fields.corporateName) : `${String(fields.firstName)} ${String(fields.lastName)}`;

function columns(backend: Backend, one: Related): string[] {
	const director = one.fields.isDirector === true;
	const roles = [one.accountOwner && "account owner", director && "director", isUbo(one) && "UBO", one.company && "company"];
	const shares = holdingsOf(one).map(({ owned, share }) => {
		const [company] = owned === one.corporateId ? [] : recordsWith(backend.state.related, "id", owned);
		return `${text(share)} %${company ? ` of ${nameOf(company)}` : ""}`;
	});
	const type = typeOfKyc(backend, one);
	return [
		nameOf(one),
		roles.filter(Boolean).join(", ") || "—",
		shares.join(", ") || "—",
		one.company ? type : `${one.kyc.status} (${type})`,
	];
}

/** Names in the place of ids. */
function namesFor(missing: string, related: readonly Related[]): string {
	return related.reduce((text, one) => text.replace(one.id, nameOf(one)), missing);
}

/** Text, or the values of a record in a row; undefined where there is none. */
function text(value: unknown): string | undefined {
	if (value === undefined || value === null || value === "") return undefined;
	return isRecord(value) ? Object.values(value).map(String).join(", ") : String(value);
}
