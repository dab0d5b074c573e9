from fakekafka.log.findings import Places


def test_places_remember_where_units_are() -> None:
    places = Places(5)
    assert (places.last_offset, places.holds(5)) == (4, False)
    places.add(0, 6, 100)
    places.add(70, 9, 50)
    assert (places.before(0), places.before(70), places.before(1)) == (4, 6, None)
    assert [places.youngest_up_to(offset) for offset in (5, 6, 9)] == [-1, 100, 100]
    assert places.holds(9)
    assert not places.holds(10)
