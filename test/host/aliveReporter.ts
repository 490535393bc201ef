import Mocha from 'mocha';
import { findDeadTests, sourceName } from './aliveCheck';
import { repository } from './cache';
import { recordTier } from './tierResults';

/** Message of the runner to {@link AliveReporter}. */
export interface AliveOptions {
	readonly tier: string;
	/** Files that have to run, relative to the repository; none where only some were asked for. */
	readonly files: readonly string[];
	readonly skipped: readonly string[];
}

/** Lines of a failure at the end of a run: its message, and what was on the screen. */
const mostLines = 40;

/** Mocha's usual reporter, which also fails the run where a file of the tier did not run. */
export default class AliveReporter extends Mocha.reporters.Spec {
	readonly #executed = new Set<string>();
	readonly #options: AliveOptions;

	constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
		super(runner, options);
		this.#options = options.reporterOptions as AliveOptions;
		runner.on('test end', (test) => {
			if (test.file && !test.isPending()) this.#executed.add(sourceName(repository, test.file));
		});
	}

	/** Called by Mocha at the end; the number it hands on becomes the exit code. */
	override done(failures: number, finished?: (failures: number) => void): void {
		const { tier, files, skipped } = this.#options;
		const complaints = findDeadTests(repository, files, this.#executed);
		for (const complaint of complaints) process.stderr.write(`  dead test: ${complaint}\n`);
		const failed = failures + complaints.length;
		const reasons = this.failures.map((test) => {
			const reason = (test.err?.message ?? '').split('\n').slice(0, mostLines).join('\n    ');
			return `${test.fullTitle()}: ${reason}`;
		});
		const result = {
			passed: this.stats.passes,
			failed,
			failures: [...reasons, ...complaints],
			skipped,
		};
		void recordTier(tier, result).finally(() => finished?.(failed));
	}
}
