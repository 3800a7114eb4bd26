/**
 * Small foreign documents of invented services, written briefly: each operation is one line of text.
 */

/** `name:type!` → a schema; `!` is required, `a|b` an enumeration, `{…}` an object. */
type Brief = Readonly<Record<string, unknown>>;

export interface Line {
	/** `POST /path`. */
	at: string;
	id?: string;
	summary?: string;
	description?: string;
	body?: Brief;
	answer?: Brief | readonly [Brief];
	status?: number;
	html?: true;
	query?: readonly string[];
}

function schemaOf(brief: unknown): Record<string, unknown> {
	if (Array.isArray(brief)) return { type: "array", items: schemaOf(brief[0]) };
	if (typeof brief === "object" && brief !== null && "schema" in brief) return (brief as { schema: Record<string, unknown> }).schema;
	if (typeof brief === "object" && brief !== null) {
		const entries = Object.entries(brief);
		const plain = (name: string): string => name.replace(/!$/, "");
		return {
			type: "object",
			required: entries.filter(([name]) => name.endsWith("!")).map(([name]) => plain(name)),
			properties: Object.fromEntries(entries.map(([name, part]) => [plain(name), schemaOf(part)])),
		};
	}
	const text = String(brief);
	return text.includes("|") ? { type: "string", enum: text.split("|") } : { type: text };
}

/** The document of some lines. @param envelope wraps every body that is answered */
export function documentOf(
	title: string,
	lines: readonly Line[],
	{ envelope = (one: unknown) => one, idSchema = { type: "string", format: "uuid" } } = {},
): Record<string, unknown> {
	const paths: Record<string, Record<string, unknown>> = {};
	for (const { at, id, summary, description, body, answer, status = 200, html, query = [] } of lines) {
		const [method = "", path = ""] = at.split(" ");
		const inPath = [...path.matchAll(/\{([^{}]+)\}/g)].map((match) => ({ name: match[1], in: "path", required: true, schema: idSchema }));
		const content = html
			? { "text/html": { schema: { type: "string" } } }
			: answer && { "application/json": { schema: envelope(schemaOf(answer)) } };
		paths[path] = {
			...paths[path],
			[method.toLowerCase()]: {
				operationId: id,
				summary,
				description,
				parameters: [...inPath, ...query.map((name) => ({ name, in: "query", schema: { type: "string" } }))],
				...(body === undefined ? {} : { requestBody: { content: { "application/json": { schema: schemaOf(body) } } } }),
				responses: { [status]: { description: "Done", ...(content ? { content } : {}) } },
			},
		};
	}
	return {
		openapi: "3.1.0",
		info: { title, version: "7" },
		servers: [{ url: "https://api.example.com" }],
		paths,
		components: { securitySchemes: { token: { type: "http", scheme: "bearer" } } },
	};
}

const uuid = { schema: { type: "string", format: "uuid" } };
const address = { country_code: "string", town: "string", zip_code: "string", street: "string", house_number: "string" };

/** snake_case, with traps. */
export const snake = documentOf("Harbour Banking", [
	{
		at: "GET /v3/legal/terms_and_conditions",
		id: "get_terms_and_conditions",
		summary: "Get the current terms and conditions",
		query: ["language"],
		answer: { version: "string", language: "string", download_url: "string" },
	},
	{
		at: "POST /v3/legal/terms_and_conditions/acceptances",
		id: "accept_terms",
		summary: "Accept the terms",
		body: { "version!": "string" },
		status: 204,
	},
	{
		at: "POST /v3/businesses",
		id: "create_business",
		summary: "Create a business",
		status: 201,
		body: {
			"legal_name!": "string",
			trading_name: "string",
			"country_of_incorporation!": "string",
			"registration_number!": "string",
			date_of_incorporation: "string",
			"industry!": "string",
			"legal_address!": address,
			trading_address: address,
			"expected_monthly_expenses!": { "value!": "string", "currency!": "string" },
			"account_owner!": { "first_name!": "string", "last_name!": "string", "email!": "string", "job_title!": "string" },
			external_reference: "string",
		},
		answer: { "business_id!": uuid, "account_owner_id!": uuid },
	},
	{
		at: "GET /v3/businesses",
		id: "list_businesses",
		summary: "List businesses",
		query: ["page", "page_size"],
		answer: {
			items: [{ id: uuid, legal_name: "string", kyb_status: "string", country_of_incorporation: "string", created_at: "string" }],
			total: "integer",
		},
	},
	{
		at: "GET /v3/businesses/{business_id}",
		id: "get_business",
		summary: "Get a business",
		answer: {
			id: uuid,
			legal_name: "string",
			trading_name: "string",
			registration_number: "string",
			kyb_status: "NEW|IN_REVIEW|VERIFIED|REJECTED",
			industry: "string",
			created_at: "string",
		},
	},
	{
		at: "PATCH /v3/businesses/{business_id}",
		id: "update_business",
		summary: "Update a business",
		body: {
			legal_name: "string",
			trading_name: "string",
			website: "string",
			industry: "string",
			legal_address: address,
			accepted_terms_version: "string",
		},
		status: 204,
	},
	{
		at: "GET /v3/businesses/{business_id}/documents",
		id: "list_business_documents",
		summary: "List documents of a business",
		answer: [{ id: uuid, name: "string" }],
	},
	{
		at: "GET /v3/businesses/{business_id}/due_diligence_review",
		id: "get_due_diligence_review",
		summary: "Due-diligence review as a page",
		html: true,
	},
	{ at: "POST /v3/businesses/{business_id}/kyb", id: "request_kyb", summary: "Request the KYB of a business", status: 202 },
	{
		at: "POST /v3/businesses/{business_id}/related_parties",
		id: "add_related_party",
		summary: "Add a related party",
		status: 201,
		body: {
			"first_name!": "string",
			"last_name!": "string",
			email: "string",
			nationality: "string",
			job_title: "string",
			is_director: "boolean",
			is_beneficial_owner: "boolean",
			ownership_percentage: "number",
			address,
		},
		answer: { "id!": uuid },
	},
	{
		at: "GET /v3/related_parties/{related_party_id}",
		id: "get_related_party",
		summary: "Get a related party",
		answer: { id: uuid, first_name: "string", last_name: "string", nationality: "string", is_director: "boolean", email: "string" },
	},
	{
		at: "PATCH /v3/related_parties/{related_party_id}",
		id: "update_related_party",
		summary: "Update a related party",
		body: { first_name: "string", last_name: "string", email: "string", nationality: "string", is_director: "boolean" },
		status: 204,
	},
	{
		at: "POST /v3/email_verifications",
		id: "send_email_verification_link",
		summary: "Send an email verification link",
		body: { "related_party_id!": uuid, subject: "string", success_url: "string" },
		status: 202,
	},
	{
		at: "POST /v3/phone_verifications",
		id: "send_phone_code",
		summary: "Send a code by SMS",
		body: { "related_party_id!": uuid },
		status: 202,
	},
	{
		at: "POST /v3/phone_verifications/confirm",
		id: "verify_phone_code",
		summary: "Verify the phone code",
		body: { "related_party_id!": uuid, "otp!": "string" },
		status: 204,
	},
	{
		at: "POST /v3/kyc_sessions",
		id: "create_kyc_session",
		summary: "Create a KYC link for a related party",
		body: { "related_party_id!": uuid, success_url: "string" },
		status: 201,
		answer: { id: uuid, url: "string", expires_in: "string" },
	},
	{
		at: "POST /v3/transfers/internal",
		id: "create_internal_transfer",
		summary: "Transfer between two wallets",
		status: 201,
		body: { "source_wallet_id!": uuid, "destination_wallet_id!": uuid, "amount!": "string", reference: "string" },
		answer: { "id!": uuid },
	},
	{
		at: "POST /v3/transfers/external",
		id: "create_external_transfer",
		summary: "Pay a payee",
		status: 201,
		body: { "source_wallet_id!": uuid, "payee_id!": uuid, "amount!": "string", reference: "string", instant_allowed: "boolean" },
		answer: { "id!": uuid },
	},
	{
		at: "GET /v3/transfers",
		id: "list_transfers",
		summary: "List transfers",
		query: ["page", "page_size", "wallet_id"],
		answer: { items: [{ id: uuid, status: "string", amount: "string", currency: "string", created_at: "string" }], total: "integer" },
	},
	{
		at: "GET /v3/transfers/{transfer_id}",
		id: "get_transfer",
		summary: "Get a transfer",
		answer: {
			id: uuid,
			status: "PENDING|COMPLETED|FAILED",
			amount: "string",
			currency: "string",
			reference: "string",
			created_at: "string",
			source_wallet_id: uuid,
			destination_wallet_id: uuid,
		},
	},
	{ at: "GET /v3/transfers/limits", id: "get_transfer_limits", summary: "Get transfer limits", answer: { daily: "string" } },
	{
		at: "POST /v3/standing_orders",
		id: "create_standing_order",
		summary: "Create a standing order",
		status: 201,
		body: { "source_wallet_id!": uuid, "payee_id!": uuid, "amount!": "string", "frequency!": "string" },
		answer: { "id!": uuid },
	},
	{
		at: "POST /v3/payment_instruments",
		id: "create_payment_instrument",
		summary: "Add a payment instrument",
		status: 201,
		body: { "kind!": "string" },
		answer: { "id!": uuid },
	},
	{
		at: "GET /v3/wallets",
		id: "list_wallets",
		summary: "List wallets",
		query: ["page", "page_size"],
		answer: {
			items: [{ id: uuid, name: "string", currency: "string", balance: "string", available_balance: "string", iban: "string" }],
			total: "integer",
		},
	},
	{
		at: "GET /v3/wallets/{wallet_id}",
		id: "get_wallet",
		summary: "Get a wallet",
		answer: {
			id: uuid,
			name: "string",
			currency: "string",
			balance: "string",
			available_balance: "string",
			iban: "string",
			status: "string",
		},
	},
	{
		at: "GET /v3/payees",
		id: "list_payees",
		summary: "List payees",
		query: ["page", "page_size"],
		answer: { items: [{ id: uuid, name: "string", status: "string", iban: "string", currency: "string" }], total: "integer" },
	},
	{
		at: "GET /v3/payees/{payee_id}",
		id: "get_payee",
		summary: "Get a payee",
		answer: { id: uuid, name: "string", status: "string", iban: "string", currency: "string" },
	},
]);

/** What each operation is there. */
export const snakeAnswers: Readonly<Record<string, string>> = {
	"terms.get": "GET /v3/legal/terms_and_conditions",
	"corporate.create": "POST /v3/businesses",
	"email.sendLink": "POST /v3/email_verifications",
	"corporate.update": "PATCH /v3/businesses/{business_id}",
	"related.update": "PATCH /v3/related_parties/{related_party_id}",
	"related.create": "POST /v3/businesses/{business_id}/related_parties",
	"related.get": "GET /v3/related_parties/{related_party_id}",
	"corporate.diligenceReview": "GET /v3/businesses/{business_id}/due_diligence_review",
	"kyb.request": "POST /v3/businesses/{business_id}/kyb",
	"corporate.get": "GET /v3/businesses/{business_id}",
	"kyc.link": "POST /v3/kyc_sessions",
	"phone.sendCode": "POST /v3/phone_verifications",
	"phone.verifyCode": "POST /v3/phone_verifications/confirm",
	"transaction.interLedger": "POST /v3/transfers/internal",
	"transaction.beneficiary": "POST /v3/transfers/external",
	"transaction.get": "GET /v3/transfers/{transfer_id}",
};

/** RPC: every operation is a POST, one operation serves both payments, amounts are in cents, ids are no UUIDs. */
const id = { schema: { type: "string", pattern: "^[a-z]{3}_[0-9a-z]{16}$" } };
const byName = (lines: readonly Omit<Line, "at">[]): Line[] => lines.map((line) => ({ at: `POST /rpc/${line.id}`, ...line }));
export const rpc = documentOf(
	"Quay Payments RPC",
	byName([
		{
			id: "getTermsOfService",
			body: { locale: "string" },
			answer: { version: "string", locale: "string", documentUrl: "string" },
		},
		{
			id: "registerOrganisation",
			summary: "Register an organisation",
			body: {
				"legalName!": "string",
				"registrationCountry!": "string",
				"registrationNumber!": "string",
				"sector!": "string",
				"registeredOffice!": { countryCode: "string", city: "string", postcode: "string", streetName: "string" },
				"legalRepresentative!": { "givenName!": "string", "familyName!": "string", "email!": "string", "role!": "string" },
			},
			answer: { "organisationId!": id, "representativeId!": id },
		},
		{
			id: "fetchOrganisation",
			summary: "Fetch an organisation",
			body: { "organisationId!": id },
			answer: { organisationId: id, legalName: "string", registrationNumber: "string", verificationStatus: "string", sector: "string" },
		},
		{
			id: "modifyOrganisation",
			summary: "Modify an organisation",
			body: { "organisationId!": id, legalName: "string", website: "string", sector: "string" },
			answer: {},
		},
		{
			id: "declareStakeholder",
			summary: "Declare a stakeholder",
			body: {
				"organisationId!": id,
				"givenName!": "string",
				"familyName!": "string",
				email: "string",
				citizenship: "string",
				isDirector: "boolean",
			},
			answer: { "stakeholderId!": id },
		},
		{
			id: "fetchStakeholder",
			summary: "Fetch a stakeholder",
			body: { "stakeholderId!": id },
			answer: { stakeholderId: id, givenName: "string", familyName: "string", email: "string", citizenship: "string" },
		},
		{
			id: "modifyStakeholder",
			summary: "Modify a stakeholder",
			body: { "stakeholderId!": id, givenName: "string", familyName: "string", email: "string", citizenship: "string" },
			answer: {},
		},
		{
			id: "renderDueDiligenceReport",
			summary: "Due diligence report",
			body: { "organisationId!": id },
			html: true,
		},
		{
			id: "requestBusinessVerification",
			summary: "Request the business verification",
			body: { "organisationId!": id },
			answer: {},
		},
		{
			id: "createIdentityVerificationLink",
			summary: "Create an identity verification link",
			body: { "stakeholderId!": id },
			answer: { link: "string" },
		},
		{
			id: "sendEmailConfirmation",
			summary: "Send an email confirmation link",
			body: { "stakeholderId!": id },
			answer: {},
		},
		{ id: "sendSmsCode", summary: "Send an SMS code", body: { "stakeholderId!": id }, answer: {} },
		{
			id: "confirmSmsCode",
			summary: "Confirm the SMS code",
			body: { "stakeholderId!": id, "code!": "string" },
			answer: {},
		},
		{
			id: "createPayment",
			summary: "Create a payment",
			body: {
				"category!": "INTERNAL|BENEFICIARY",
				"debtorAccountId!": id,
				creditorAccountId: id,
				payeeId: id,
				"amountInCents!": "integer",
				"currency!": "string",
				remittanceInformation: { schema: { type: "string", maxLength: 18 } },
			},
			answer: { "paymentId!": id },
		},
		{
			id: "fetchPayment",
			summary: "Fetch a payment",
			body: { "paymentId!": id },
			answer: { paymentId: id, state: "string", amountInCents: "integer", currency: "string", createdAt: "string" },
		},
		{ id: "cancelPayment", summary: "Cancel a payment", body: { "paymentId!": id }, answer: {} },
		{
			id: "createPaymentInstrument",
			summary: "Create a payment instrument",
			body: { "payeeId!": id },
			answer: {},
		},
		{
			id: "createStandingOrder",
			summary: "Create a standing order",
			body: { "debtorAccountId!": id, "payeeId!": id, "amountInCents!": "integer", "frequency!": "string" },
			answer: {},
		},
	]),
	{ idSchema: { type: "string" } as never },
);

export const rpcAnswers: Readonly<Record<string, string>> = {
	"terms.get": "POST /rpc/getTermsOfService",
	"corporate.create": "POST /rpc/registerOrganisation",
	"email.sendLink": "POST /rpc/sendEmailConfirmation",
	"corporate.update": "POST /rpc/modifyOrganisation",
	"related.update": "POST /rpc/modifyStakeholder",
	"related.create": "POST /rpc/declareStakeholder",
	"related.get": "POST /rpc/fetchStakeholder",
	"corporate.diligenceReview": "POST /rpc/renderDueDiligenceReport",
	"kyb.request": "POST /rpc/requestBusinessVerification",
	"corporate.get": "POST /rpc/fetchOrganisation",
	"kyc.link": "POST /rpc/createIdentityVerificationLink",
	"phone.sendCode": "POST /rpc/sendSmsCode",
	"phone.verifyCode": "POST /rpc/confirmSmsCode",
	"transaction.interLedger": "POST /rpc/createPayment",
	"transaction.beneficiary": "POST /rpc/createPayment",
	"transaction.get": "POST /rpc/fetchPayment",
};

/** A shop: it has customers, orders, payments and accounts, and none of our operations. */
export const shop = documentOf("Corner Shop", [
	{
		at: "POST /customers",
		id: "createCustomer",
		summary: "Create a customer",
		status: 201,
		body: { "name!": "string", "email!": "string", address },
		answer: { id: uuid },
	},
	{
		at: "GET /customers/{customerId}",
		id: "getCustomer",
		summary: "Get a customer",
		answer: { id: uuid, name: "string", email: "string", status: "string", created_at: "string" },
	},
	{
		at: "PATCH /customers/{customerId}",
		id: "updateCustomer",
		summary: "Update a customer",
		body: { name: "string", email: "string" },
		answer: { id: uuid },
	},
	{ at: "GET /customers", id: "listCustomers", summary: "List customers", answer: [{ id: uuid, name: "string" }] },
	{
		at: "POST /orders",
		id: "createOrder",
		summary: "Create an order",
		status: 201,
		body: { "customerId!": uuid, "amount!": "number" },
		answer: { id: uuid },
	},
	{
		at: "POST /payments",
		id: "createPayment",
		summary: "Charge a card",
		status: 201,
		body: { "orderId!": uuid, "cardToken!": "string", "amount!": "number" },
		answer: { id: uuid },
	},
	{
		at: "GET /payments/{paymentId}",
		id: "getPayment",
		summary: "Get a payment",
		answer: { id: uuid, status: "string", amount: "number", currency: "string", created_at: "string" },
	},
	{ at: "GET /accounts/{accountId}", id: "getAccount", summary: "Get an account", answer: { id: uuid, name: "string", status: "string" } },
	{
		at: "POST /login",
		id: "login",
		summary: "Log in",
		body: { "username!": "string", "password!": "string" },
		answer: { token: "string" },
	},
	{ at: "GET /terms", id: "getTerms", summary: "Get the terms", answer: { version: "string", language: "string", url: "string" } },
]);
