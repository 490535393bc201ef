/**
 * Waits until the condition holds. For what tells nobody that it has changed, such as processes.
 *
 * @throws an Error that names `what` after 60 s.
 */
export async function until(
	condition: () => boolean | Promise<boolean>,
	what: string,
): Promise<void> {
	for (const deadline = Date.now() + 60_000; !(await condition());) {
		if (Date.now() > deadline) throw new Error(`Waited 60 s for ${what}.`);
		await new Promise((resolve) => setTimeout(resolve, 50));
	}
}
