/**
 * Waits until the condition holds. For what reports no change, such as processes.
 *
 * @throws an Error that names `what` after 50 s: before the test that waits gives up itself, and names nothing.
 */
export async function until(
	condition: () => boolean | Promise<boolean>,
	what: string,
): Promise<void> {
	for (const deadline = Date.now() + 50_000; !(await condition());) {
		if (Date.now() > deadline) throw new Error(`Waited 50 s for ${what}.`);
		await new Promise((resolve) => setTimeout(resolve, 50));
	}
}
