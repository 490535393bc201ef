/** The text of a drawing; the bundler reads it. */
declare module '*.svg' {
	const text: string;
	export default text;
}

/** The text of a style sheet, as small as the bundler makes it. */
declare module '*.css' {
	const text: string;
	export default text;
}
