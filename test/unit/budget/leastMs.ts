/**
 * How long a call needs the processor, in milliseconds, whatever else the machine does: the least of
 * so many calls, without what fresh memory costs on this machine more than on others. On a virtual one
 * a page can take thirty times as long, and a text of a mebibyte takes thousands of them.
 *
 * @param calls how many at most
 * @param enoughMs what is quicker is not looked at any closer
 */
export function leastMs(call: () => unknown, calls: number, enoughMs: number): number {
	let least = Infinity;
	for (let round = 0; round < calls && least > enoughMs; round++) {
		const { userMs, systemMs, pages } = measure(call);
		const ms = userMs + systemMs;
		least = Math.min(least, ms - Math.min(pages * furtherPageMs, systemMs));
	}
	return least;
}

/** Of memory that nothing but the system stands behind. */
const usualPageMs = 0.0005;

/** What a page of fresh memory takes longer here than there. */
const furtherPageMs = Math.max(0, pageMs() - usualPageMs);

function pageMs(): number {
	// So much always comes from the system, and what is not written to is not there.
	const { systemMs, pages } = measure(() =>
		Buffer.allocUnsafeSlow(64 * 1024 * 1024).fill(1, 0, 8 * 1024 * 1024),
	);
	return systemMs / Math.max(1, pages);
}

/** The processor's time of this thread, and the pages of memory that the process got. */
function measure(call: () => unknown): {
	readonly userMs: number;
	readonly systemMs: number;
	readonly pages: number;
} {
	const { minorPageFault } = process.resourceUsage();
	const before = process.threadCpuUsage();
	call();
	const { user, system } = process.threadCpuUsage(before);
	return {
		userMs: user / 1000,
		systemMs: system / 1000,
		pages: process.resourceUsage().minorPageFault - minorPageFault,
	};
}
