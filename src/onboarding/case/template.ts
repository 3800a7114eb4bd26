/**
 * A case file to start from.
 */
import { jsonDocument } from "../../api/json.js";
import { placeholder } from "../../api/schema.js";
import type { Context } from "../../context.js";

/** The text of a new case file: YAML after a comment of several lines, or JSON where its name says so. */
export async function caseText(context: Context, document: Record<string, unknown>, comment: string, path: string): Promise<string> {
	if (/\.json$/i.test(path)) return jsonDocument(document);
	return context.files.documents.yaml(document, comment);
}

/**
 * An annotated case: the lines without `# ` are a complete case once its values are written, the others are optional.
 */
export const caseTemplate = `# A case for \`purser onboard plan FILE\` and \`purser onboard apply FILE\`.
# ${placeholder} stands where you write a value of your own; a file with one left is refused.
# Remove the "# " to use a line. Ids of the service are never written here.
version: "1"

corporate:
  externalId: ${placeholder}  # like crm-4711; finds it in your system and at the service; never changed once applied (required)
  corporateName: ${placeholder}  # like Example Bakery SAS; official name (required)
  # tradeName: ${placeholder}  # like Example Bakery
  incorporationCountry: ${placeholder}  # like France; name or code (required)
  incorporationCode: ${placeholder}  # like 000 000 001; official code in that country (required)
  # incorporationDate: ${placeholder}  # like 2019-04-01
  # legalType: ${placeholder}  # like {"austriaValue": "AT_AKTIENGESELLSCHAFT_AG"}; one country-specific key with a value
  # website: ${placeholder}  # like https://www.example.com
  industry: ${placeholder}  # like FOOD_RESTAURANT_CATERING; purser onboard start offers those that are known (required)
  registeredAddress:  # (required)
    isoCountryCode: ${placeholder}  # like France
    city: ${placeholder}  # like Paris
    postalCode: ${placeholder}  # like 75001
    street: ${placeholder}  # like Rue de l'Exemple
    number: ${placeholder}  # like 1
  # businessAddress: ${placeholder}  # like {isoCountryCode: France, city: Lyon}; when it differs
  expectedMonthlyExpenses:  # (required)
    value: ${placeholder}  # like LESS_THAN_10_000
    currency: ${placeholder}  # like EUR
  # employeesRange: ${placeholder}  # like BTW_1_AND_10
  # metadata: ${placeholder}  # like {"tier": "gold"}; at most 3000 characters

accountOwner:  # the person who manages the account; becomes a related entity
  firstName: ${placeholder}  # like Ada (required)
  lastName: ${placeholder}  # like Example (required)
  emailAddress: ${placeholder}  # like ada@example.com; a verification link is sent to it (required)
  position: ${placeholder}  # like CEO (required)
  isDirector: true
  isUbo: true
  # directorAppointmentDate: ${placeholder}  # like 2019-04-01
  # nationality: ${placeholder}  # like France
  # phone: ${placeholder}  # like +33 639980001
  # address: ${placeholder}  # like {isoCountryCode: France, city: Paris}

persons:  # every UBO and every director but the account owner
  - key: grace  # its name in this file; never changed once applied
    firstName: ${placeholder}  # like Grace
    lastName: ${placeholder}  # like Sample
    # externalId: ${placeholder}  # like crm-4711-grace; made from the company's and a digest of the key when left out
    emailAddress: ${placeholder}  # like grace@example.com
    # phone: ${placeholder}  # like +44 7700900001
    nationality: ${placeholder}  # like GBR
    isDirector: false
    isUbo: true

companies:  # those that hold shares, through every layer
  - key: holding
    corporateName: ${placeholder}  # like Example Holding BV
    incorporationCountry: ${placeholder}  # like NLD
    incorporationCode: ${placeholder}  # like 00000000

ownership:  # who holds how much of whom: keys of this file, "corporate" or "accountOwner"; a line for each holding, also of one person
  - {owner: accountOwner, owned: corporate, percentage: 40}
  - {owner: holding, owned: corporate, percentage: 60}
  - {owner: grace, owned: holding, percentage: 100}

# terms:  # which version the account owner accepted; purser terms show
#   version: ${placeholder}  # like 1.0
#   acceptedBy: ${placeholder}  # like Ada Example
#   acceptedAt: ${placeholder}  # like 2026-03-01T10:22:00Z
`;
