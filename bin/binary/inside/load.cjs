// Imports an ES module by its path.
const { pathToFileURL } = require('node:url')

module.exports = path => import(pathToFileURL(path).href)
