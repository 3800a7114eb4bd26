/**
 * The closed and the open lists of the contract. Closed: anything else is refused. Open: only some values were ever shown, so
 * an unknown value of the right shape passes with a warning.
 */

/** Closed: ISO 3166-1 alpha-3 (specification 2.1, 2.2). */
export const countries: readonly string[] = [
	"ABW AFG AGO AIA ALA ALB AND ARE ARG ARM ASM ATA ATF ATG AUS AUT AZE BDI BEL BEN BES BFA BGD BGR BHR BHS BIH",
	"BLM BLR BLZ BMU BOL BRA BRB BRN BTN BVT BWA CAF CAN CCK CHE CHL CHN CIV CMR COD COG COK COL COM CPV CRI CUB",
	"CUW CXR CYM CYP CZE DEU DJI DMA DNK DOM DZA ECU EGY ERI ESH ESP EST ETH FIN FJI FLK FRA FRO FSM GAB GBR GEO",
	"GGY GHA GIB GIN GLP GMB GNB GNQ GRC GRD GRL GTM GUF GUM GUY HKG HMD HND HRV HTI HUN IDN IMN IND IOT IRL IRN",
	"IRQ ISL ISR ITA JAM JEY JOR JPN KAZ KEN KGZ KHM KIR KNA KOR KWT LAO LBN LBR LBY LCA LIE LKA LSO LTU LUX LVA",
	"MAC MAF MAR MCO MDA MDG MDV MEX MHL MKD MLI MLT MMR MNE MNG MNP MOZ MRT MSR MTQ MUS MWI MYS MYT NAM NCL NER",
	"NFK NGA NIC NIU NLD NOR NPL NRU NZL OMN PAK PAN PCN PER PHL PLW PNG POL PRI PRK PRT PRY PSE PYF QAT REU ROU",
	"RUS RWA SAU SDN SEN SGP SGS SHN SJM SLB SLE SLV SMR SOM SPM SRB SSD STP SUR SVK SVN SWE SWZ SXM SYC SYR TCA",
	"TCD TGO THA TJK TKL TKM TLS TON TTO TUN TUR TUV TWN TZA UGA UKR UMI URY USA UZB VAT VCT VEN VGB VIR VNM VUT",
	"WLF WSM YEM ZAF ZMB ZWE",
].flatMap((line) => line.split(" "));

/** The two-letter code (ISO 3166-1 alpha-2) of each of them, in the same order. */
export const countriesInTwoLetters: readonly string[] = [
	"AW AF AO AI AX AL AD AE AR AM AS AQ TF AG AU AT AZ BI BE BJ BQ BF BD BG BH BS BA BL BY BZ BM BO BR BB BN BT BV",
	"BW CF CA CC CH CL CN CI CM CD CG CK CO KM CV CR CU CW CX KY CY CZ DE DJ DM DK DO DZ EC EG ER EH ES EE ET FI FJ",
	"FK FR FO FM GA GB GE GG GH GI GN GP GM GW GQ GR GD GL GT GF GU GY HK HM HN HR HT HU ID IM IN IO IE IR IQ IS IL",
	"IT JM JE JO JP KZ KE KG KH KI KN KR KW LA LB LR LY LC LI LK LS LT LU LV MO MF MA MC MD MG MV MX MH MK ML MT MM",
	"ME MN MP MZ MR MS MQ MU MW MY YT NA NC NE NF NG NI NU NL NO NP NR NZ OM PK PA PN PE PH PW PG PL PR KP PT PY PS",
	"PF QA RE RO RU RW SA SD SN SG GS SH SJ SB SL SV SM SO PM RS SS ST SR SK SI SE SZ SX SC SY TC TD TG TH TJ TK TM",
	"TL TO TT TN TR TV TW TZ UG UA UM UY US UZ VA VC VE VG VI VN VU WF WS YE ZA ZM ZW",
].flatMap((line) => line.split(" "));

/** Closed: phone.countryCode, exactly as specification 2.3 lists them, without "+". */
export const diallingCodes: readonly string[] = [
	"1 1242 1246 1264 1268 1284 1340 1345 1441 1473 1649 1664 1670 1671 1684 1721 1758 1767 1784 1787 1809 1829",
	"1849 1868 1869 1876 1939 20 211 212 213 216 218 220 221 222 223 224 225 226 227 228 229 230 231 232 233 234",
	"235 236 237 238 239 240 241 242 243 244 245 246 248 249 250 251 252 253 254 255 256 257 258 260 261 262 263",
	"264 265 266 267 268 269 27 290 291 297 298 299 30 31 32 33 34 350 351 352 353 354 355 356 357 358 359 36 370",
	"371 372 373 374 375 376 377 378 379 380 381 382 383 385 386 387 389 39 40 41 420 421 423 43 44 441481 441534",
	"441624 45 46 47 48 49 500 501 502 503 504 505 506 507 508 509 51 52 53 54 55 56 57 58 590 591 592 593 595 597",
	"598 599 60 61 62 63 64 65 66 670 672 673 674 675 676 677 678 679 680 681 682 683 685 686 687 688 689 690 691",
	"692 7 81 82 84 850 852 853 855 856 86 880 886 90 91 92 93 94 95 960 961 962 963 964 965 966 967 968 970 971",
	"972 973 974 975 976 977 98 992 993 994 995 996 998",
].flatMap((line) => line.split(" "));

/** Open: 12 of 136 are known (5 from the specification, 7 documented). Those of many companies come first. */
export const industries: readonly string[] = [
	"FOOD_RESTAURANT_CATERING",
	"TRANSPORT_TAXI_SERVICES_CHAUFFEUR",
	"HOLDING_OR_TRADING_CO_FOR_ASSET_MANAGEMENT_PURPOSES",
	"USED_CAR_RESALE_AND_DISTRIBUTION",
	"CHARITY_RECOGNIZED",
	"CHARITY_NON_RECOGNIZED",
	"AVIATION_COMMERCIAL_CHARTERS_AND_AIRLINES",
	"DATING_SERVICES",
	"CHILD_ADOPTION",
	"ARMS_TRADE_AND_DEFENSE",
	"ADULT_ENTERTAINMENT",
	"ESCORT_SERVICES",
];

/**
 * The key of legalType by country of registration: the countries of specification 2.1 in its order. It shows Austria's key; the others are
 * assumed to be written like it.
 */
export const legalFormKeys: Readonly<Record<string, string>> = Object.fromEntries(
	[
		"AUT austria, BIH bosniaAndHerzegovina, BEL belgium, BGR bulgaria, CZE czechia, DEU germany, DNK denmark, EST estonia",
		"ESP spain, FIN finland, FRA france, GBR unitedKingdom, GRC greece, HRV croatia, HUN hungary, IRL ireland, ISL iceland",
		"ITA italy, LIE liechtenstein, LTU lithuania, LUX luxembourg, LVA latvia, MNE montenegro, MKD northMacedonia",
		"NLD netherlands, NOR norway, POL poland, PRT portugal, ROU romania, SRB serbia, RUS russianFederation, SWE sweden",
		"SVN slovenia, SVK slovakia, UKR ukraine",
	]
		.flatMap((line) => line.split(", "))
		.map((one) => one.split(" ") as [string, string])
		.map(([country, key]) => [country, `${key}Value`]),
);

/** Open: expectedMonthlyExpenses.value. */
export const monthlyExpenses: readonly string[] = ["LESS_THAN_10_000"];

/** Open: employeesRange. */
export const employeesRanges: readonly string[] = ["BTW_1_AND_10"];

/** Open: currencies seen (documented). */
export const currencies: readonly string[] = "EUR GBP USD PLN AUD CHF CAD SEK NOK JPY HUF HKD NZD CZK SGD RON HRK".split(" ");

/** Open, and assumed: what a related entity is. */
export const relatedTypes: readonly string[] = ["PHYSICAL", "COMPANY"];

/** Statuses of a KYB request. Only VALIDATED is in the specification; the others are documented. */
export const kybStatuses = [
	"NOT_STARTED",
	"COMPLETING",
	"PENDING_VERIFICATION",
	"NEED_ADDITIONAL_INFORMATION",
	"DECLINED",
	"VALIDATED",
] as const;

/** Statuses of a transaction (documented). */
export const transactionStatuses = ["PENDING", "APPROVED", "DECLINED", "ABORTED", "RELEASED", "REVERSED"] as const;

/** An unknown status is never taken for final. */
export const finalTransactionStatuses: readonly string[] = ["APPROVED", "DECLINED", "ABORTED", "RELEASED", "REVERSED"];

/** Whether a payment of this status was created and moved no money, or gave it back. */
export const isFailed = (status = "APPROVED"): boolean => status !== "APPROVED" && finalTransactionStatuses.includes(status);

/** Statuses of a ledger (documented). */
export const ledgerStatuses = ["PENDING", "ACTIVE", "CLOSING", "CLOSED", "SUSPENDED", "FAILED"] as const;

/** Statuses of a beneficiary (documented). */
export const beneficiaryStatuses = ["VALID", "DECLINED", "PENDING_REVIEW", "PENDING"] as const;

/** A company is open until its KYB has one of these. */
export const decidedKybStatuses: readonly string[] = ["DECLINED", "VALIDATED"];
