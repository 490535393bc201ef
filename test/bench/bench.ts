/** Unit of a figure. Less is better in each. */
export type Unit = 'ms' | 'MiB' | 'kB' | 'frames' | 'answers';

/** At most so much: of the ratio to what it is measured beside, or of the figure itself. */
export type Goal = { readonly ratio: number } | { readonly most: number };

/** One row of the table. */
export interface Row {
	/** Name of the row in the table. */
	readonly what: string;
	readonly unit: Unit;
	/** Name of the comparison that is measured in the same run. */
	readonly beside?: string;
	/** Without it, the row is a mark to look at. */
	readonly goal?: Goal;
	/** True where the table of `docs/performance.md` has it. */
	readonly inGuide?: true;
}

/** Rows that are measured together, because they need the same things. */
export interface Bench {
	/** By names that the measurement knows. */
	readonly rows: Readonly<Record<string, Row>>;
	/** Number of measurements of each row. */
	readonly rounds: number;
	/** Loaded when it is measured: most need a whole editor or service. */
	readonly load: () => Promise<{ readonly measure: Measure }>;
}

export interface Run {
	readonly rounds: number;
	/** An empty folder, removed at the end. */
	readonly scratch: string;
	/** To be called for each round of each row, with what it is measured beside in that round. */
	readonly record: (row: string, ours: number, beside?: number) => void;
}

export type Measure = (run: Run) => Promise<void>;
