/** Files beside the folder of jobs: the plan, the calls that were made, and that it is healed. */
export const workerFiles = {
	plan: 'worker-plan.json',
	calls: 'worker-calls',
	healed: 'healed',
} as const;

/** Says whether a path is counted: the storage, the workspace, local sockets and their folders. */
export function isOurs(one: string): boolean {
	return /\/easel-faults-|\/easel-([A-Za-z0-9]{6}(\/s)?)?$/.test(one);
}
