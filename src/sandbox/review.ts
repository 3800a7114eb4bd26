/**
 * The due-diligence review: a page, a PDF or an address, whatever the sandbox was told to answer.
 */
import { type Desk, termsAccepted } from "./desk.js";
import { type Answer, html, json } from "./message.js";
import { escaped, pageOf } from "./pages.js";
import type { Corporate } from "./state.js";

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

/** The review as a page. */
export function reviewPage(desk: Desk, corporate: Corporate): string {
	const row = (label: string, value: unknown): string => `<tr><th>${escaped(label)}</th><td>${escaped(text(value))}</td></tr>`;
	const people = desk.state.related.filter((one) => one.corporateId === corporate.id);
	return pageOf(
		"Due diligence review",
		`<h1>${escaped(text(corporate.fields.corporateName))}</h1>
<h2>Company</h2>
<table>${Object.entries({
			Identifier: corporate.id,
			Country: corporate.fields.incorporationCountry,
			"Incorporation code": corporate.fields.incorporationCode,
			Industry: corporate.fields.industry,
			"Terms accepted": termsAccepted(desk, corporate) ? "yes" : "no",
			KYB: corporate.kyb.status,
		})
			.map(([label, value]) => row(label, value))
			.join("")}</table>
<h2>Related entities</h2>
<table><tr><th>Name</th><th>Role</th><th>Shares</th><th>KYC</th></tr>${people
			.map((one) => {
				const name = one.company ? text(one.fields.corporateName) : `${text(one.fields.firstName)} ${text(one.fields.lastName)}`;
				const role = [
					one.accountOwner ? "account owner" : "",
					one.fields.isDirector ? "director" : "",
					one.fields.isUbo ? "UBO" : "",
					one.company ? "company" : "",
				]
					.filter(Boolean)
					.join(", ");
				return `<tr><td>${escaped(name)}</td><td>${escaped(role)}</td><td>${escaped(text(one.fields.directSharesPercentage))}</td><td>${escaped(one.kyc.status)}</td></tr>`;
			})
			.join("")}</table>`,
	);
}

function text(value: unknown): string {
	if (value === undefined || value === null) return "—";
	return typeof value === "object" && !("text" in value) ? JSON.stringify(value) : String(value);
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
