/** The text of a drawing; the bundler reads it. */
declare module '*.svg' {
	const text: string;
	export default text;
}
