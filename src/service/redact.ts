/**
 * Makes text fit for the log: keys become `***`, base64 of images becomes its length. Everything
 * that is logged goes through here: neither keys nor base64 of images may stand in logs
 * (specification, "Authentication", 5).
 *
 * @param secrets values that must not appear, such as the key in use; those under 4 characters stay
 */
export function redact(text: string, secrets: readonly string[] = []): string {
	let result = text;
	for (const secret of secrets) {
		// Shorter ones would hide ordinary words; no service issues such keys.
		if (secret.length >= 4) {
			result = result.replaceAll(secret, '***');
		}
	}
	return result
		.replace(/\b(bearer|basic)\s+[^\s"',;]+/gi, '$1 ***')
		.replace(/((?:x-)?api[-_]?key["']?\s*[:=]\s*["']?)[^\s"',;]+/gi, '$1***')
		.replace(/\/\/[^/\s:@]+:[^/\s@]+@/g, '//***@')
		.replace(/[A-Za-z0-9+/]{200,}={0,2}/g, (match) => `[${String(match.length)} characters]`);
}
