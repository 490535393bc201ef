import { testSite } from './siteTests';

// Vue makes of these names what it cannot read itself.
testSite('VuePress', { unshown: /it's|100%/ });
