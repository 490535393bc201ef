const tasks: (() => unknown)[] = [];

/** Does something when the test that runs has ended, however it ends; the last task comes first. */
export function atEnd(task: () => unknown): void {
	tasks.push(task);
}

// Of all suites: it comes behind the teardown of each.
teardown(async () => {
	for (const task of tasks.splice(0).reverse()) {
		await task();
	}
});
