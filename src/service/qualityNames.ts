/** What a quality is called, and what it means, in words for people. Its identifier stays. */
interface QualityName {
	readonly label: string;
	readonly description: string;
}

/** In the order of what they cost. `unset` is never sent. */
export const qualityNames = {
	low: { label: 'Low', description: 'for previews' },
	unset: { label: 'Default', description: 'the service decides' },
	high: { label: 'High', description: 'takes longer, costs more' },
} as const satisfies Record<'low' | 'unset' | 'high', QualityName>;
