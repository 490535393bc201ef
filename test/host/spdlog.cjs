// Stands in for `@vscode/spdlog`, the log files' native module, in the prepared VS Code: the same
// interface without a compiler. Lines are written at once; files do not rotate.
const fs = require('node:fs');
const path = require('node:path');

const levels = ['trace', 'debug', 'info', 'warning', 'error', 'critical'];

class Logger {
	constructor(_type, _name, file) {
		fs.mkdirSync(path.dirname(file), { recursive: true });
		this.file = file;
		this.level = 2;
		this.bare = false;
	}

	trace(message) {
		this.write(0, message);
	}
	debug(message) {
		this.write(1, message);
	}
	info(message) {
		this.write(2, message);
	}
	warn(message) {
		this.write(3, message);
	}
	error(message) {
		this.write(4, message);
	}
	critical(message) {
		this.write(5, message);
	}

	getLevel() {
		return this.level;
	}
	setLevel(level) {
		this.level = level;
	}
	setPattern() {}
	clearFormatters() {
		this.bare = true;
	}
	flush() {}
	drop() {}

	write(level, message) {
		if (level < this.level) return;
		const time = new Date().toISOString().replace('T', ' ').replace('Z', '');
		const line = this.bare ? message : `${time} [${levels[level]}] ${message}\n`;
		try {
			fs.appendFileSync(this.file, line);
		} catch {
			// The run's folder is gone already; this log is not read.
		}
	}
}

const createLogger = async (name, file) => new Logger('rotating', name, file);

// One by one: VS Code imports this as a module, and Node finds the names in this form only.
module.exports.version = 0;
module.exports.setLevel = () => {};
module.exports.setFlushOn = () => {};
module.exports.Logger = Logger;
module.exports.createRotatingLogger = createLogger;
module.exports.createAsyncRotatingLogger = createLogger;
