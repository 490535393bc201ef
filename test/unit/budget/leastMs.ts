/**
 * How long a call needs the processor, in milliseconds: the least of so many calls, because whatever
 * else the machine does is noise.
 *
 * @param calls how many at most
 * @param enoughMs what is quicker is not looked at any closer
 */
export function leastMs(call: () => unknown, calls: number, enoughMs: number): number {
	let least = Infinity;
	for (let round = 0; round < calls && least > enoughMs; round++) {
		const before = process.threadCpuUsage();
		call();
		const { user, system } = process.threadCpuUsage(before);
		least = Math.min(least, (user + system) / 1000);
	}
	return least;
}
