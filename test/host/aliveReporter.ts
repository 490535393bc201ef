import Mocha from 'mocha';
import { repository } from './cache';
import { findDeadTests, sourceName } from './aliveCheck';

/**
 * Mocha's usual reporter, which also fails the run if a test in the tree is dead. The option
 * `folders` names the folders that have to run whole, separated by colons.
 */
export default class AliveReporter extends Mocha.reporters.Spec {
	private readonly executed = new Set<string>();
	private readonly folders: string[];

	constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
		super(runner, options);
		const { folders } = (options.reporterOptions ?? {}) as { folders?: string };
		if (!folders) throw new Error('The reporter needs the option “folders”.');
		this.folders = folders.split(':');
		runner.on('test end', (test) => {
			if (test.file && !test.isPending()) this.executed.add(sourceName(repository, test.file));
		});
	}

	/** Called by Mocha at the end; the number it hands on becomes the exit code. */
	override done(failures: number, finished?: (failures: number) => void): void {
		void findDeadTests(repository, this.folders, this.executed)
			.catch((error: unknown) => [String(error)])
			.then((complaints) => {
				for (const complaint of complaints) process.stderr.write(`  dead test: ${complaint}\n`);
				finished?.(failures + complaints.length);
			});
	}
}
