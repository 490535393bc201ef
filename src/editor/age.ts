const units = [
	['day', 24 * 60 * 60],
	['hour', 60 * 60],
	['minute', 60],
] as const;

/** `just now`, `5 minutes ago`, `yesterday`. */
export function ageWords(time: Date, now = new Date()): string {
	const seconds = (now.getTime() - time.getTime()) / 1000;
	const [unit, length] = units.find(([, each]) => seconds >= each) ?? [];
	return unit === undefined
		? 'just now'
		: new Intl.RelativeTimeFormat('en', { numeric: 'auto' }).format(
				-Math.floor(seconds / length),
				unit,
			);
}
