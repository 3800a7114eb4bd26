/**
 * Every command that one works a case with, as data for the tests that type them.
 */

export interface Ids {
	company: string;
	owner: string;
	/** A director, an owner of a share, and a person without a part in it. */
	grace?: string;
	ubo?: string;
	bystander?: string;
	holding?: string;
}
/** The id of nothing. */
const nobody = "33333333-3333-4333-8333-333333333333";

/** Every command that one works a case with, for the ids of the state. */
export function commandsOf({ company: id = nobody, owner = nobody, grace, ubo, bystander, holding }: Partial<Ids>): string[][] {
	const related = [owner, grace, ubo, bystander, holding].filter((one) => one !== undefined);
	const persons = related.filter((one) => one !== holding);
	const lines = [
		...["overview", "corporate list", "terms show", "ledger list", "beneficiary list", "pay list", "pay doubts"],
		...["config explain", "profile list", "profile show", "auth status", "api list"],
		...["corporate show", "corporate status", "corporate review", "related list", "related tree", "kyb status", "kyb request"].map(
			(path) => `${path} ${id}`,
		),
		`corporate status ${id} --explain`,
		`kyb status ${id} --wait`,
		`corporate update ${id} --website https://www.example.com`,
		`terms accept ${id} --yes --confirmed-by operator`,
		`kyc link --all --corporate-id ${id}`,
		`related add ${id} --first-name New --last-name Person --is-director`,
		`ledger list --end-user-id ${id}`,
		...related.flatMap((one) => [
			`related show ${one}`,
			`related update ${one} --external-id crm-1`,
			`related remove ${one} --yes`,
			`kyc status ${one}`,
			`kyc link ${one}`,
			`email status ${one}`,
		]),
		...persons.flatMap((one) => [
			`related update ${one} --email-address other@example.com`,
			`related update ${one} --phone.country-code 33 --phone.number 639980002`,
			`email send-link ${one}`,
			`email status ${one} --wait --wait-timeout 5`,
			`kyc status ${one} --wait --wait-timeout 5`,
			`phone send-code ${one}`,
			`phone verify ${one} --code 123456`,
			`sandbox simulate email ${one}`,
			`sandbox simulate kyc ${one}`,
		]),
		`sandbox simulate kyb ${id}`,
		"sandbox simulate terms",
		"sandbox simulate clock --seconds 60",
		"sandbox simulate fault terms.get=500:x1",
		"sandbox simulate fault --clear",
		"onboard list",
		// The same in every state.
		...(id === nobody ? ["profile set sandbox --set timeout=60", "profile use sandbox"] : []),
	];
	return lines.map((line) => line.split(" "));
}
