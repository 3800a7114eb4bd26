/** The names of a profile that logs in at a sandbox, and the command that does; its password, `sandbox-password`, is typed or piped. */
export const operatorNames = ["--username", "operator", "--partner-name", "example-partner"] as const;
export const logInWords = ["auth", "login", "--password-stdin"] as const;
