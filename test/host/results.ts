/** Result of one test, as all layers report it. */
export interface TestResult {
	/** The test's source file, relative to the repository, with forward slashes. */
	file: string;
	/** With the titles of its suites. */
	title: string;
	state: 'passed' | 'failed';
	durationMs: number;
	/** The stack, where it failed. */
	error?: string;
}

/** Message of the extension host to the runner, one JSON text per line. */
export type HostMessage =
	| { type: 'started'; version: string }
	| { type: 'line'; text: string }
	| { type: 'test'; result: TestResult }
	| { type: 'error'; text: string }
	| { type: 'end'; failures: number };
