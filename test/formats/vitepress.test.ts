import { testSite } from './siteTests';

// Vue makes of these names what it cannot read itself. What lies in HTML has no base there.
testSite('VitePress', { unfound: /^<img src="\/base/, unshown: /it's/ });
