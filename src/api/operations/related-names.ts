/**
 * The required names of a related entity that are missing, each with a message. The values of `type` are assumed: for an unknown one, the names say
 * what it is.
 */
export function missingNames(given: Readonly<Record<string, unknown>>): [string, string][] {
	const { type = "PHYSICAL", corporateName } = given;
	const company = type === "COMPANY" || (type !== "PHYSICAL" && corporateName !== undefined);
	return (company ? ["corporateName"] : ["firstName", "lastName"])
		.filter((name) => given[name] === undefined)
		.map((name) => [name, `is required for a ${company ? "company" : "physical person"}`]);
}
