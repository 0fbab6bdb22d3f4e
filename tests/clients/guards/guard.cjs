// Loaded by every Node a client test starts: no connection leaves the machine, and one that tries is noted.
const fs = require("node:fs");
const net = require("node:net");
const dns = require("node:dns");

const isLoopback = (host) => !host || host === "localhost" || host.startsWith("127.") || host === "::1";

function refuse(host) {
    fs.appendFileSync(process.env.CLIENT_TEST_OUTSIDE, `${host}\n`);
    throw new Error(`A client test must not connect to ${host}.`);
}

const connect = net.Socket.prototype.connect;
net.Socket.prototype.connect = function (...given) {
    const options = Array.isArray(given[0]) ? given[0][0] : given[0];
    const host = options && typeof options === "object" ? options.host : given[1];
    if (typeof host === "string" && !isLoopback(host)) refuse(host);
    return connect.apply(this, given);
};

const lookup = dns.lookup;
dns.lookup = function (host, ...rest) {
    if (!isLoopback(host)) refuse(host);
    return lookup.call(this, host, ...rest);
};
