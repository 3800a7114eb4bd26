/**
 * A case file to start from.
 */

/** Name of the schema's file: beside a case, and beside the installed program. */
export const schemaName = "case.schema.json";

/** First words of the line by which editors find the schema of a YAML file. */
export const schemaLine = "yaml-language-server: $schema=";

/**
 * An annotated case: the lines without `# ` are a complete case, the others are optional.
 * @param schema where an editor finds the schema: an address, or a path from the case
 */
export const caseTemplate = (schema: string): string => `# ${schemaLine}${schema}
# A case for \`purser onboard plan FILE\` and \`purser onboard apply FILE\`.
# The first line tells your editor where the schema is. To keep it beside your cases: purser onboard schema > ${schemaName}
# Take the "# " away to give what stands behind it. Ids of the service are never written here.
version: "1"

corporate:
  externalId: crm-4711  # what it is found by in your system and at the service; never changed once applied (required)
  corporateName: Example Bakery SAS  # official name (required)
  # tradeName: Example Bakery
  incorporationCountry: FRA  # ISO 3166-1 alpha-3 (required)
  incorporationCode: "000 000 001"  # official code in that country (required)
  # incorporationDate: 2019-04-01
  # legalType: {"austriaValue": "AT_AKTIENGESELLSCHAFT_AG"}  # one country-specific key with a value
  # website: https://www.example.com
  industry: FOOD_RESTAURANT_CATERING  # 12 of 136 values are known (required)
  registeredAddress:  # (required)
    isoCountryCode: FRA
    city: Paris
    postalCode: "75001"
    street: Rue de l'Exemple
    number: "1"
  # businessAddress: {isoCountryCode: FRA, city: Lyon}  # when it differs
  expectedMonthlyExpenses:  # (required)
    value: LESS_THAN_10_000
    currency: EUR
  # employeesRange: BTW_1_AND_10
  # metadata: {"tier": "gold"}  # at most 3000 characters

accountOwner:  # the person who manages the account; becomes a related entity
  firstName: Ada  # (required)
  lastName: Example  # (required)
  emailAddress: ada@example.com  # a verification link is sent to it (required)
  position: CEO  # (required)
  isDirector: true
  isUbo: true
  # directorAppointmentDate: 2019-04-01
  # nationality: FRA
  # phone: {countryCode: "33", number: "639980001"}
  # address: {isoCountryCode: FRA, city: Paris}

persons:  # every UBO and every director but the account owner
  - key: grace  # its name in this file; never changed once applied
    firstName: Grace
    lastName: Sample
    # externalId: crm-4711-grace  # made of the corporate's and a digest of the key when left out
    emailAddress: grace@example.com
    # phone: {countryCode: "44", number: "7700900001"}
    nationality: GBR
    isDirector: false
    isUbo: true

companies:  # those that hold shares, through every layer
  - key: holding
    corporateName: Example Holding BV
    incorporationCountry: NLD
    incorporationCode: "00000000"

ownership:  # who holds how much of whom: keys of this file, "corporate" or "accountOwner"
  - {owner: accountOwner, owned: corporate, percentage: 40}
  - {owner: holding, owned: corporate, percentage: 60}
  - {owner: grace, owned: holding, percentage: 100}

# terms:  # which version the account owner accepted; purser terms show
#   version: "1.0"
#   acceptedBy: Ada Example
#   acceptedAt: 2026-03-01T10:22:00Z
`;
