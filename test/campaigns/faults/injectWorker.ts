// Imported before the worker: its calls are counted too, by the plan that lies beside its job.
import fs from 'node:fs';
import path from 'node:path';
import { isOurs, workerFiles } from './concerned';
import { Injection, injectProcess, type Plan } from './inject';

let injection: Injection | undefined;

injectProcess((paths) => {
	if (injection !== undefined) {
		return injection;
	}
	const root = paths
		.map((one) => /^(.*\/easel-faults-[^/]+)\/jobs\//.exec(one)?.[1])
		.find((found) => found !== undefined);
	if (root === undefined) {
		return undefined;
	}
	const file = (name: keyof typeof workerFiles) => path.join(root, workerFiles[name]);
	const plan = fs.existsSync(file('plan'))
		? (JSON.parse(fs.readFileSync(file('plan'), 'utf8')) as Plan)
		: undefined;
	injection = new Injection(isOurs, plan, () => fs.existsSync(file('healed')));
	const counted = injection;
	process.on('exit', () => {
		fs.writeFileSync(file('calls'), JSON.stringify(counted.calls));
	});
	return injection;
});
